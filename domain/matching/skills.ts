import { IMPLIES, RELATED } from './vocabulary.ts'
import { skillWords } from './words.ts'

/** A skill in the form that it is compared in. Two spellings of one skill have the same name. */
export type Skill = {
  readonly name: string
  readonly words: ReadonlySet<string>
  /** What whoever has it knows as well, itself included. */
  readonly covers: ReadonlySet<string>
}

export function skillOf(text: string): Skill | null {
  const words = skillWords(text)
  if (words.length === 0) return null
  const name = words.join(' ')
  return { name, words: new Set(words), covers: new Set([name, ...(IMPLIES[name] ?? [])]) }
}

/** 1: it meets what is wanted; 0.5: it is of the same trade; 0: it has nothing to do with it. */
export function credit(wanted: Skill, offered: Skill): number {
  if (offered.covers.has(wanted.name) || isPartOf(offered.words, wanted.words) || isPartOf(wanted.words, offered.words))
    return 1
  // "SQL databases" is asked for, PostgreSQL is offered: one word of what it covers is enough.
  for (const word of wanted.words) if (offered.covers.has(word)) return 1
  return RELATED.some((trade) => trade.includes(offered.name) && trade.some((tool) => wanted.words.has(tool))) ? 0.5 : 0
}

function isPartOf(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  for (const word of part) if (!whole.has(word)) return false
  return true
}
