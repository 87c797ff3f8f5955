import { IMPLIES, RELATED, SKILL_SYNONYMS } from './vocabulary.ts'
import { skillWords } from './words.ts'

/** A skill, normalised for comparison. All spellings of one skill have the same name. */
export type Skill = {
  readonly name: string
  readonly words: ReadonlySet<string>
  /** The skills that it implies, including itself. */
  readonly covers: ReadonlySet<string>
}

export function skillOf(text: string): Skill | null {
  const words = skillWords(text)
  if (words.length === 0) return null
  const name = words.join(' ')
  return { name, words: new Set(words), covers: new Set([name, ...(IMPLIES[name] ?? [])]) }
}

/** Names with one meaning in every context: PostgreSQL, not "sourcing". */
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.values(SKILL_SYNONYMS),
  ...Object.keys(IMPLIES),
  ...Object.values(IMPLIES).flat(),
  ...RELATED.flat(),
])

/** 1 if the offered skill meets the wanted one, 0.5 if it covers a part of it or the same trade, 0 if unrelated. */
export function credit(wanted: Skill, offered: Skill): number {
  if (offered.covers.has(wanted.name)) return 1
  if (isPartOf(offered.words, wanted.words)) return partCredit(offered, wanted)
  if (isPartOf(wanted.words, offered.words)) return partCredit(wanted, offered)
  // "SQL databases" are asked for and PostgreSQL is offered: it covers both words.
  let covered = 0
  for (const word of wanted.words) if (offered.covers.has(word) || offered.words.has(word)) covered++
  if (covered === wanted.words.size) return 1
  const isNear = RELATED.some((trade) => trade.includes(offered.name) && trade.some((tool) => wanted.words.has(tool)))
  return isNear || coversAny(wanted, offered) ? 0.5 : 0
}

/** How much a phrase counts if the other names a part of it: fully where that part says most, or stands for itself. */
function partCredit(part: Skill, whole: Skill): number {
  return KNOWN.has(part.name) || part.words.size * 3 >= whole.words.size * 2 ? 1 : 0.5
}

/** A word that it implies, not one that both merely happen to share. */
function coversAny(wanted: Skill, offered: Skill): boolean {
  for (const word of wanted.words) if (offered.covers.has(word)) return true
  return false
}

function isPartOf(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  for (const word of part) if (!whole.has(word)) return false
  return true
}
