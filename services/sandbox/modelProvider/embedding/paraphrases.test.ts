import { expect, test } from 'vitest'
import triples from '../../../../test/fixtures/paraphrases.json' with { type: 'json' }
import { featuresOf } from './features.ts'
import { vectorOf } from './vector.ts'

type Triple = (typeof triples)[number]

const vector = (text: string) => vectorOf(featuresOf(text), 1_536)
const nearness = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

const isRight = ({ text, paraphrase, unrelated }: Triple) =>
  nearness(vector(text), vector(paraphrase)) > nearness(vector(text), vector(unrelated))

/** Every fifth triple was held out while words and weights were chosen. */
const isUnseen = (_: Triple, at: number) => at % 5 === 4

test('a paraphrase is nearer than an unrelated text in 90 % of 50 triples', () => {
  expect(triples).toHaveLength(50)
  const sentences = triples.flatMap((triple) => Object.values(triple))
  expect(new Set(sentences).size).toBe(150)
  const missed = triples.filter((triple) => !isRight(triple))
  expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(5)
})

test('a paraphrase is nearer than an unrelated text in most of the ten held-out triples', () => {
  const unseen = triples.filter(isUnseen)
  expect(unseen).toHaveLength(10)
  expect(unseen.filter(isRight).length).toBeGreaterThanOrEqual(8)
})

test('letter features alone do not reach the accuracy of the whole feature set', () => {
  const letters = (text: string) =>
    vectorOf(new Map([...featuresOf(text)].filter(([feature]) => feature.startsWith('letters '))), 1_536)
  const byLetters = triples.filter(
    ({ text, paraphrase, unrelated }) =>
      nearness(letters(text), letters(paraphrase)) > nearness(letters(text), letters(unrelated)),
  )
  expect(byLetters.length).toBeLessThan(45)
})
