import { fold, nameWords } from './foldedText.ts'
import { EMPLOYMENT_WORDS, SENIORITY_WORDS } from './position.ts'

/** The allowed value that the text means; undefined if it means none of them. */
export function choiceFor(choices: readonly unknown[], text: string): unknown {
  const words = nameWords(text)
  const named = choices.map((choice) => [choice, nameWords(String(choice))] as const)
  const same = named.find(([, name]) => name === words)
  if (same) return same[0]
  const within = named
    .filter(([, name]) => ` ${words} `.includes(` ${name} `))
    .sort(([, a], [, b]) => b.length - a.length)
  if (within[0]) return within[0][0]
  // The text and the allowed value may be synonyms, in different languages or spellings.
  for (const vocabulary of [EMPLOYMENT_WORDS, SENIORITY_WORDS]) {
    for (const [, pattern] of vocabulary) {
      if (!pattern.test(fold(text)) && !pattern.test(words)) continue
      const meant = named.find(([, name]) => pattern.test(name))
      if (meant) return meant[0]
    }
  }
  return undefined
}
