import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { costMicros } from './priceBook.ts'
import { usageWithin } from './usageWithin.ts'

const price = { inputMicrosPerMillionTokens: '500000', outputMicrosPerMillionTokens: '1500000' }

describe('the usage that an amount pays for', () => {
  test('is all of it if the amount covers it', () => {
    expect(usageWithin(price, { tokensIn: 3, tokensOut: 2 }, 5n)).toEqual({ tokensIn: 3, tokensOut: 2 })
  })

  test('is the input first, then as much of the output as the rest pays for', () => {
    expect(usageWithin(price, { tokensIn: 4, tokensOut: 100 }, 6n)).toEqual({ tokensIn: 4, tokensOut: 2 })
    expect(usageWithin(price, { tokensIn: 100, tokensOut: 100 }, 6n)).toEqual({ tokensIn: 12, tokensOut: 0 })
    expect(usageWithin(price, { tokensIn: 1, tokensOut: 1 }, 0n)).toEqual({ tokensIn: 0, tokensOut: 0 })
  })

  test('never costs more than the amount, never counts more than was used, and wastes less than a token', () => {
    const perMillion = fc.bigInt({ min: 0n, max: 10n ** 13n }).map(String)
    const tokens = fc.nat({ max: 100_000_000 })
    fc.assert(
      fc.property(perMillion, perMillion, tokens, tokens, fc.bigInt({ min: -5n, max: 10n ** 17n }), (...drawn) => {
        const [inputMicrosPerMillionTokens, outputMicrosPerMillionTokens, tokensIn, tokensOut, amount] = drawn
        const some = { inputMicrosPerMillionTokens, outputMicrosPerMillionTokens }
        const paid = usageWithin(some, { tokensIn, tokensOut }, amount)
        expect(costMicros(some, paid)).toBeLessThanOrEqual(amount > 0n ? amount : 0n)
        expect(paid.tokensIn).toBeLessThanOrEqual(tokensIn)
        expect(paid.tokensOut).toBeLessThanOrEqual(tokensOut)
        if (paid.tokensIn === tokensIn && paid.tokensOut < tokensOut) {
          const more = { tokensIn, tokensOut: paid.tokensOut + 1 }
          expect(costMicros(some, more)).toBeGreaterThan(amount)
        }
      }),
    )
  })
})
