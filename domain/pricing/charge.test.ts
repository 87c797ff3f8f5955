import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { AMOUNT_MICROS_MAX } from '../credits.ts'
import { TOKENS_PER_CALL_MAX } from '../ledger/decider.ts'
import { chargeMaxMicros, chargeMicros, usageWithin } from './charge.ts'
import type { Usage } from './usage.ts'

const MILLION = 1_000_000n

const count = fc.nat({ max: TOKENS_PER_CALL_MAX })
const rate = fc.bigInt({ min: 0n, max: AMOUNT_MICROS_MAX })
const maybe = fc.option(rate.map(String), { nil: undefined })
const anyPrice: fc.Arbitrary<AliasPrice> = fc.record({
  inputMicrosPerMillionTokens: rate.map(String),
  cachedInputMicrosPerMillionTokens: maybe,
  cacheWriteMicrosPerMillionTokens: maybe,
  outputMicrosPerMillionTokens: rate.map(String),
  perCallMicros: maybe,
})
/** Any split of the input into its parts. */
const anyUsage: fc.Arbitrary<Usage> = fc
  .record({ tokensIn: count, tokensOut: count, shares: fc.option(fc.tuple(fc.double(share()), fc.double(share()))) })
  .map(({ tokensIn, tokensOut, shares }) => {
    const tokensCached = shares && Math.floor(tokensIn * shares[0])
    const tokensCacheWrite = shares && Math.floor((tokensIn - (tokensCached ?? 0)) * shares[1])
    return { tokensIn, tokensOut, tokensCached, tokensCacheWrite }
  })

function share() {
  return { min: 0, max: 1, noNaN: true } as const
}

const priceOf = (input: bigint, output: bigint, others: Partial<AliasPrice> = {}): AliasPrice => ({
  inputMicrosPerMillionTokens: input.toString(),
  outputMicrosPerMillionTokens: output.toString(),
  ...others,
})
const usageOf = (
  tokensIn: number,
  tokensOut: number,
  tokensCached: number | null = null,
  tokensCacheWrite: number | null = null,
): Usage => ({ tokensIn, tokensOut, tokensCached, tokensCacheWrite })

/** Written independently of the code: each part at its own rate, in millionths of a micro. */
function exactCharge(price: AliasPrice, usage: Usage): bigint {
  const input = price.inputMicrosPerMillionTokens
  const cached = BigInt(usage.tokensCached ?? 0)
  const written = BigInt(usage.tokensCacheWrite ?? 0)
  return (
    (BigInt(usage.tokensIn) - cached - written) * BigInt(input) +
    cached * BigInt(price.cachedInputMicrosPerMillionTokens ?? input) +
    written * BigInt(price.cacheWriteMicrosPerMillionTokens ?? input) +
    BigInt(usage.tokensOut) * BigInt(price.outputMicrosPerMillionTokens) +
    BigInt(price.perCallMicros ?? 0) * MILLION
  )
}

describe('what a call is charged', () => {
  test('is each part of its usage at its rate, rounded up by less than one micro', () => {
    fc.assert(
      fc.property(anyPrice, anyUsage, (price, usage) => {
        const charge = chargeMicros(price, usage)
        const exact = exactCharge(price, usage)
        expect(charge * MILLION).toBeGreaterThanOrEqual(exact)
        expect(charge * MILLION - exact).toBeLessThan(MILLION)
        expect(charge).toBeGreaterThanOrEqual(0n)
      }),
    )
  })

  test('never falls when a call uses more tokens', () => {
    fc.assert(
      fc.property(anyPrice, anyUsage, count, count, (price, usage, moreIn, moreOut) => {
        const more = { ...usage, tokensIn: usage.tokensIn + moreIn, tokensOut: usage.tokensOut + moreOut }
        expect(chargeMicros(price, more)).toBeGreaterThanOrEqual(chargeMicros(price, usage))
      }),
    )
  })

  test('counts cached input and cache writes as other input if the price has no rate for them', () => {
    const price = priceOf(2_000_000n, 4_000_000n)
    expect(chargeMicros(price, usageOf(1_000, 10, 700, 200))).toBe(chargeMicros(price, usageOf(1_000, 10)))
    expect(chargeMicros(price, usageOf(1_000, 10))).toBe(2_040n)
  })

  test('counts cached input as free at a rate of zero, and more expensive writes at their rate', () => {
    const price = priceOf(2_000_000n, 0n, {
      ...{ cachedInputMicrosPerMillionTokens: '0', cacheWriteMicrosPerMillionTokens: '2500000' },
    })
    expect(chargeMicros(price, usageOf(1_000, 0, 1_000))).toBe(0n)
    expect(chargeMicros(price, usageOf(1_000, 0, 500, 400))).toBe(200n + 1_000n)
  })

  test('includes the fee for a call once, even without tokens', () => {
    const price = priceOf(1_000_000n, 1_000_000n, { perCallMicros: '7' })
    expect(chargeMicros(price, usageOf(0, 0))).toBe(7n)
    expect(chargeMicros(price, usageOf(3, 2))).toBe(12n)
  })

  test('loses nothing above what a double can hold', () => {
    const price = priceOf(9_007_199_254_740_993n, 1n)
    expect(chargeMicros(price, usageOf(1_000_000, 0))).toBe(9_007_199_254_740_993n)
    expect(chargeMicros(price, usageOf(1_000_000, 1))).toBe(9_007_199_254_740_994n)
  })

  test('is zero without tokens, and at least one micro for a token that costs anything', () => {
    expect(chargeMicros(priceOf(5n, 5n), usageOf(0, 0))).toBe(0n)
    expect(chargeMicros(priceOf(1n, 0n), usageOf(1, 0))).toBe(1n)
    expect(chargeMicros(priceOf(0n, 0n), usageOf(1_000, 1_000))).toBe(0n)
  })

  test('is rounded once for the whole call, not for each rate', () => {
    expect(chargeMicros(priceOf(500_000n, 500_000n), usageOf(1, 1))).toBe(1n)
  })
})

describe('the most that a call can be charged', () => {
  test('is at least the charge of any split of its input, and equals that of the most expensive one', () => {
    fc.assert(
      fc.property(anyPrice, anyUsage, (price, usage) => {
        const most = chargeMaxMicros(price, usage)
        expect(most).toBeGreaterThanOrEqual(chargeMicros(price, usage))
        const { tokensIn, tokensOut } = usage
        const splits = [
          usageOf(tokensIn, tokensOut),
          usageOf(tokensIn, tokensOut, tokensIn),
          usageOf(tokensIn, tokensOut, 0, tokensIn),
        ]
        expect(splits.map((split) => chargeMicros(price, split))).toContain(most)
      }),
    )
  })
})

describe('the usage that an amount pays for', () => {
  const price = priceOf(500_000n, 1_500_000n)

  test('is all of it if the amount covers it', () => {
    expect(usageWithin(price, usageOf(3, 2), 5n)).toEqual(usageOf(3, 2))
  })

  test('is the input first, then as much of the output as the rest pays for', () => {
    expect(usageWithin(price, usageOf(4, 100), 6n)).toEqual(usageOf(4, 2))
    expect(usageWithin(price, usageOf(100, 100), 6n)).toEqual(usageOf(12, 0))
    expect(usageWithin(price, usageOf(1, 1), 0n)).toEqual(usageOf(0, 0))
  })

  test('keeps the parts of the input within it, and pays the fee for the call first', () => {
    const rates = priceOf(1_000_000n, 1_000_000n, { cachedInputMicrosPerMillionTokens: '500000', perCallMicros: '2' })
    expect(usageWithin(rates, usageOf(10, 10, 8), 6n)).toEqual(usageOf(6, 0, 4))
    expect(usageWithin(rates, usageOf(10, 10, 8), 2n)).toEqual(usageOf(0, 0, 0))
  })

  test('never costs more than the amount, never counts more than was used, and wastes less than a token', () => {
    fc.assert(
      fc.property(anyPrice, anyUsage, fc.bigInt({ min: -5n, max: 10n ** 17n }), (some, usage, amount) => {
        const paid = usageWithin(some, usage, amount)
        const fee = BigInt(some.perCallMicros ?? 0)
        expect(chargeMicros(some, paid)).toBeLessThanOrEqual(amount > fee ? amount : fee)
        expect(paid.tokensIn).toBeLessThanOrEqual(usage.tokensIn)
        expect(paid.tokensOut).toBeLessThanOrEqual(usage.tokensOut)
        expect((paid.tokensCached ?? 0) + (paid.tokensCacheWrite ?? 0)).toBeLessThanOrEqual(paid.tokensIn)
        if (paid.tokensIn === usage.tokensIn && paid.tokensOut < usage.tokensOut) {
          expect(chargeMicros(some, { ...usage, tokensOut: paid.tokensOut + 1 })).toBeGreaterThan(amount)
        }
      }),
    )
  })
})
