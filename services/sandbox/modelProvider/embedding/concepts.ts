import { stem } from './stem.ts'
import { VOCABULARY } from './vocabulary.ts'

export type Concept = {
  /** `topic/word`, with the first word of the vocabulary line. */
  readonly sense: string
  readonly topic: string
}

export const CONCEPTS: readonly (Concept & { readonly words: readonly string[] })[] = Object.entries(
  VOCABULARY,
).flatMap(([topic, lines]) =>
  lines
    .trim()
    .split(/\s*\n\s*/)
    .map((line) => {
      const words = line.split(' ')
      return { topic, sense: `${topic}/${words[0]}`, words }
    }),
)

const BY_WORD = new Map(CONCEPTS.flatMap((concept) => concept.words.map((word) => [word, concept] as const)))
const BY_STEM = new Map(CONCEPTS.flatMap((concept) => concept.words.map((word) => [stem(word), concept] as const)))

/** The concept of a word. "Plane" and "plan" have the same stem, so the whole word is tried before its stem. */
export function conceptOf(word: string, root: string): Concept | undefined {
  return BY_WORD.get(word) ?? BY_STEM.get(root)
}
