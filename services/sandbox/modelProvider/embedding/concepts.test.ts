import { expect, test } from 'vitest'
import { CONCEPTS, conceptOf } from './concepts.ts'
import { stem } from './stem.ts'

const senseOf = (word: string) => conceptOf(word, stem(word))?.sense

test('each word of the vocabulary occurs on one line only', () => {
  const words = CONCEPTS.flatMap((concept) => concept.words)
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
})

test('other forms of a word have its concept, and different words with the same stem keep theirs', () => {
  expect(senseOf('invoices')).toBe(senseOf('bill'))
  expect(senseOf('developers')).toBe(senseOf('engineer'))
  expect(senseOf('planes')).not.toBe(senseOf('schedule'))
  expect(senseOf('plane')).toBe(senseOf('aircraft'))
  expect(senseOf('plan')).toBe(senseOf('schedule'))
  expect(senseOf('xylophone')).toBeUndefined()
})
