import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AliasPrice, Rates } from '../../contracts/events/pricing.ts'
import { AMOUNT_MICROS_MAX } from '../credits.ts'
import { TOKENS_PER_CALL_MAX } from '../ledger/decider.ts'
import { chargeMaxMicros, chargeOf, chargeWithin, type Line } from './charge.ts'
import { INPUT_PARTS, OUTPUT_PARTS } from './tokenKinds.ts'
import { boundedUsage, sumOf, type TokenParts, type Usage, type UsageBound } from './usage.ts'

const PARTS = [...INPUT_PARTS, ...OUTPUT_PARTS]
const UNITS = ['image', 'search', 'tool:web_search']
const TIERS = ['flex', 'priority', 'scale']
const REQUESTED = [null, 'auto', 'default', ...TIERS]
const PICO = 10n ** 12n

const rate = fc.bigInt({ min: 0n, max: AMOUNT_MICROS_MAX }).map(String)
const anyRates: fc.Arbitrary<Rates> = fc
  .tuple(rate, rate, fc.dictionary(fc.constantFrom(...PARTS), rate))
  .map(([input, output, others]) => ({ ...others, input, output }))
const anyTiers = fc
  .uniqueArray(fc.record({ tokens: fc.nat({ max: 100 }), inclusive: fc.boolean(), rates: anyRates }), {
    selector: ({ tokens }) => tokens,
    maxLength: 3,
  })
  .map((tiers) => tiers.sort((a, b) => a.tokens - b.tokens))
const anyPrice: fc.Arbitrary<AliasPrice> = fc.record(
  {
    rates: anyRates,
    inputTiers: anyTiers,
    unitRates: fc
      .tuple(...UNITS.map(() => rate))
      .map((rates) => Object.fromEntries(UNITS.map((unit, n) => [unit, rates[n] as string]))),
    tierFactors: fc.dictionary(fc.constantFrom(...TIERS), fc.bigInt({ min: 0n, max: 10_000_000n }).map(String)),
    callMicros: rate,
  },
  { requiredKeys: ['rates', 'unitRates'] },
)
const count = fc.oneof(fc.nat({ max: 200 }), fc.nat({ max: TOKENS_PER_CALL_MAX }))
const anyParts: fc.Arbitrary<TokenParts> = fc.dictionary(fc.constantFrom(...PARTS), count)
const anyUnits = fc.dictionary(fc.constantFrom(...UNITS), fc.nat({ max: 1000 }))
/** Parts may exceed the whole, as providers have been seen to report them. */
const reported: fc.Arbitrary<Usage> = fc.record({
  tokensIn: count,
  tokensOut: count,
  parts: anyParts,
  units: anyUnits,
  serviceTier: fc.constantFrom(null, 'default', ...TIERS),
})
const anyUsage = reported.map((usage) => boundedUsage(usage))
const anyRequested = fc.constantFrom(...REQUESTED)

const PARENT: Record<string, string> = {
  cachedInput: 'input',
  cacheWrite: 'input',
  cacheWrite1h: 'cacheWrite',
  audioInput: 'input',
  imageInput: 'input',
  reasoning: 'output',
  audioOutput: 'output',
  imageOutput: 'output',
}

/** Written independently of the code: what the usage costs in millionths of a millionth of a micro, not rounded. */
function exactCost(price: AliasPrice, usage: Usage, requested: string | null): bigint {
  let rates: Record<string, string | undefined> = price.rates
  for (const { tokens, inclusive, rates: larger } of price.inputTiers ?? [])
    if (usage.tokensIn > tokens || (inclusive && usage.tokensIn === tokens)) rates = larger
  const costOf = (kind: string): bigint => {
    const own = rates[kind]
    return own === undefined ? costOf(PARENT[kind] as string) : BigInt(own)
  }
  const factors = price.tierFactors ?? {}
  const allowed = requested === 'auto' ? Object.values(factors) : [factors[requested ?? ''] ?? '1000000']
  const most = Math.max(1_000_000, ...allowed.map(Number))
  const factor = BigInt(Math.min(Number(factors[usage.serviceTier ?? ''] ?? '1000000'), most))
  const parts = Object.entries(usage.parts)
  const inputParts = parts.filter(([kind]) => (INPUT_PARTS as readonly string[]).includes(kind))
  const outputParts = parts.filter(([kind]) => (OUTPUT_PARTS as readonly string[]).includes(kind))
  const without = (whole: number, of: [string, number | undefined][]) =>
    of.reduce((rest, [, n]) => rest - (n ?? 0), whole)
  let tokens = BigInt(without(usage.tokensIn, inputParts)) * costOf('input')
  tokens += BigInt(without(usage.tokensOut, outputParts)) * costOf('output')
  for (const [kind, n] of parts) tokens += BigInt(n ?? 0) * costOf(kind)
  const units = Object.entries(usage.units).map(([unit, n]) => BigInt(n) * BigInt(price.unitRates?.[unit] as string))
  return (
    tokens * factor + units.reduce((sum, each) => sum + each, 0n) * 1_000_000n + BigInt(price.callMicros ?? 0) * PICO
  )
}

const sumOfLines = (lines: readonly Line[]) => lines.reduce((sum, { amountMicros }) => sum + amountMicros, 0n)

describe('the charge of a call', () => {
  test('is its exact cost, rounded up once to the next micro', () => {
    fc.assert(
      fc.property(anyPrice, anyUsage, anyRequested, (price, usage, requested) => {
        const { amountMicros } = chargeOf(price, usage, requested)
        const missing = amountMicros * PICO - exactCost(price, usage, requested)
        expect(missing >= 0n && missing < PICO).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('is the sum of its lines, of which none is negative and none counts nothing', () => {
    fc.assert(
      fc.property(anyPrice, anyUsage, anyRequested, (price, usage, requested) => {
        const { amountMicros, lines } = chargeOf(price, usage, requested)
        expect(sumOfLines(lines)).toBe(amountMicros)
        expect(lines.filter((line) => line.amountMicros < 0n || line.count <= 0)).toEqual([])
      }),
    )
  })

  test('counts every token and every unit in exactly one line', () => {
    fc.assert(
      fc.property(anyPrice, anyUsage, (price, usage) => {
        const { lines } = chargeOf({ ...price, callMicros: undefined }, usage, null)
        const units = Object.values(usage.units).reduce((sum, n) => sum + n, 0)
        expect(lines.reduce((sum, line) => sum + line.count, 0)).toBe(usage.tokensIn + usage.tokensOut + units)
        expect(new Set(lines.map(({ kind }) => kind)).size).toBe(lines.length)
      }),
    )
  })

  test('limited to an amount is that amount at most, and still the sum of its lines', () => {
    fc.assert(
      fc.property(anyPrice, anyUsage, fc.bigInt({ min: 0n, max: AMOUNT_MICROS_MAX }), (price, usage, most) => {
        const whole = chargeOf(price, usage, null)
        const limited = chargeWithin(whole, most)
        expect(limited.amountMicros).toBe(whole.amountMicros < most ? whole.amountMicros : most)
        expect(sumOfLines(limited.lines)).toBe(limited.amountMicros)
      }),
    )
  })
})

describe('the bound of a call', () => {
  const anyBound: fc.Arbitrary<UsageBound> = fc.record({
    tokensIn: count,
    tokensOut: count,
    parts: anyParts,
    units: anyUnits,
  })

  test('is not exceeded by the charge of any usage within it, however tokens are split', () => {
    fc.assert(
      fc.property(anyPrice, anyBound, reported, anyRequested, (price, bound, usage, requested) => {
        const { amountMicros } = chargeOf(price, boundedUsage(usage, bound), requested)
        expect(amountMicros <= chargeMaxMicros(price, bound, requested)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('is what the dearest usage costs, if all rates rise with the size of the input', () => {
    fc.assert(
      fc.property(anyRates, anyBound, (rates, bound) => {
        const price = { rates, unitRates: Object.fromEntries(UNITS.map((unit) => [unit, '7'])) }
        const dearest = allOf(rates, bound)
        expect(chargeOf(price, dearest, null).amountMicros).toBe(chargeMaxMicros(price, bound, null))
      }),
    )
  })

  /** The usage that takes the dearest kind first. */
  function allOf(rates: Rates, bound: UsageBound): Usage {
    const parts: Record<string, number> = {}
    const fill = (whole: string, kinds: readonly string[], tokens: number) => {
      const costOf = (kind: string): bigint =>
        BigInt((rates as Record<string, string>)[kind] ?? costOf(PARENT[kind] as string))
      let left = tokens
      const dearer = kinds
        .filter((kind) => costOf(kind) > costOf(whole))
        .sort((a, b) => (costOf(a) < costOf(b) ? 1 : -1))
      for (const kind of dearer) {
        parts[kind] = Math.min(left, (bound.parts as Record<string, number>)[kind] ?? left)
        left -= parts[kind]
      }
    }
    fill('input', INPUT_PARTS, bound.tokensIn)
    fill('output', OUTPUT_PARTS, bound.tokensOut)
    return { ...bound, parts, serviceTier: null }
  }
})

describe('measured usage', () => {
  test('never has more tokens in parts than in the whole, nor more of anything than its bound', () => {
    fc.assert(
      fc.property(reported, reported, (usage, bound) => {
        const { tokensIn, tokensOut, parts, units } = boundedUsage(usage, bound)
        const total = (kinds: readonly (keyof TokenParts)[]) => kinds.reduce((sum, kind) => sum + (parts[kind] ?? 0), 0)
        expect(total(INPUT_PARTS)).toBeLessThanOrEqual(tokensIn)
        expect(total(OUTPUT_PARTS)).toBeLessThanOrEqual(tokensOut)
        expect(tokensIn).toBe(Math.min(usage.tokensIn, bound.tokensIn))
        for (const kind of PARTS) expect(parts[kind] ?? 0).toBeLessThanOrEqual(bound.parts[kind] ?? Infinity)
        for (const unit of UNITS)
          expect(units[unit] ?? 0).toBe(Math.min(usage.units[unit] ?? 0, bound.units[unit] ?? 0))
      }),
    )
  })

  test('of two requests is the sum of both', () => {
    fc.assert(
      fc.property(anyUsage, anyUsage, (a, b) => {
        const sum = sumOf(a, b)
        expect(boundedUsage(sum)).toEqual(sum)
        expect(sum.tokensOut).toBe(a.tokensOut + b.tokensOut)
        for (const kind of PARTS) expect(sum.parts[kind] ?? 0).toBe((a.parts[kind] ?? 0) + (b.parts[kind] ?? 0))
      }),
    )
  })
})
