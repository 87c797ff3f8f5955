import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../test/support/cases/anyCharacter.ts'
import { featuresOf, featuresOfTokens } from './features.ts'
import { vectorOf } from './vector.ts'

const lengthOf = (vector: Float32Array) => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
const nearness = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

describe('vectorOf', () => {
  it('returns the same unit vector for the same text, in any number of dimensions', () => {
    const texts = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 2_000 }), (text, dimensions) => {
        const vector = vectorOf(featuresOf(text), dimensions)
        expect(vector).toHaveLength(dimensions)
        expect(lengthOf(vector)).toBeCloseTo(1, 5)
        const again = vectorOf(featuresOf(text), dimensions)
        expect(Buffer.from(again.buffer).equals(Buffer.from(vector.buffer))).toBe(true)
      }),
    )
  })

  it('ignores case, punctuation and inflection, and distinguishes different texts', () => {
    const vector = (text: string) => vectorOf(featuresOf(text), 1_536)
    expect(nearness(vector('The invoice, please!'), vector('the INVOICE please'))).toBeCloseTo(1, 5)
    expect(nearness(vector('invoices'), vector('invoice'))).toBeGreaterThan(0.99)
    expect(nearness(vector('invoice'), vector('penguin'))).toBeLessThan(0.2)
    expect(nearness(vector('?!'), vector('…'))).toBeLessThan(0.9)
  })

  it('puts token arrays that share tokens near each other', () => {
    const vector = (tokens: number[]) => vectorOf(featuresOfTokens(tokens), 1_536)
    const near = nearness(vector([1, 2, 3, 4]), vector([1, 2, 3, 9]))
    expect(near).toBeGreaterThan(0.6)
    expect(nearness(vector([1, 2, 3, 4]), vector([5, 6, 7, 8]))).toBeLessThan(0.2)
  })
})
