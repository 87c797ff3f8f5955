import { KEPT_WHOLE, SKILL_SYNONYMS } from './vocabulary.ts'

const PHRASE_WORDS_MAX = 4

/** Lower case, without accents. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/ø/gi, 'o')
    .replace(/ł/gi, 'l')
    .toLowerCase()
}

export function wordsOf(text: string): string[] {
  return folded(text)
    .split(/[^\p{L}\p{N}+#]+/u)
    .filter((word) => word !== '')
}

/** The normalised words of a skill: lowercase, singular, one name for synonyms. */
export function skillWords(text: string): string[] {
  let whole = folded(text)
  for (const [spelling, kept] of KEPT_WHOLE) whole = whole.replace(spelling, kept)
  return renamed(wordsOf(whole))
}

/** Replaces the longest groups of words that have another name. */
function renamed(words: readonly string[]): string[] {
  const result: string[] = []
  for (let at = 0; at < words.length; ) {
    let taken = 1
    let name = [singular(words[at] as string)]
    for (let length = Math.min(PHRASE_WORDS_MAX, words.length - at); length >= 1; length--) {
      const group = words.slice(at, at + length)
      const known = SKILL_SYNONYMS[group.join(' ')] ?? SKILL_SYNONYMS[group.map(singular).join(' ')]
      if (known !== undefined) {
        taken = length
        name = known.split(' ')
        break
      }
    }
    result.push(...name)
    at += taken
  }
  return result
}

/** English plurals only, except names that merely end like one. */
function singular(word: string): string {
  if (word.length < 5 || !word.endsWith('s') || /(ss|us|is|ics|kubernetes|redis|sales|js)$/.test(word)) return word
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1)
}
