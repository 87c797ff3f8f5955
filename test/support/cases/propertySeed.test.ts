import fc from 'fast-check'
import { expect, test } from 'vitest'

const anyNumbers = fc.array(fc.integer(), { minLength: 5 })
const tried = () => {
  const cases: number[][] = []
  fc.assert(fc.property(anyNumbers, (numbers) => void cases.push(numbers)))
  return cases
}

test('a property without a seed of its own tries the same cases again', () => {
  expect(tried()).toEqual(tried())
})

test('a failed property names the seed of the run', () => {
  const seed = process.env.PROPERTY_SEED || '1'
  expect(() => fc.assert(fc.property(anyNumbers, () => false))).toThrow(new RegExp(`\\bseed: ${seed}\\b`))
})
