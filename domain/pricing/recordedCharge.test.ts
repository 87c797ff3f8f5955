import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ledgerEvents } from '../../contracts/events/ledger.ts'
import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { charged } from '../../test/support/events/ledgerEvents.ts'
import { type Charge, chargeOf, chargeWithin } from './charge.ts'
import { isLimited, type RecordedCharge, recomputedCharge, recordedUsage } from './recordedCharge.ts'
import { INPUT_PARTS, OUTPUT_PARTS } from './tokenKinds.ts'
import { boundedUsage, cachedTokens, NO_USAGE, type Usage } from './usage.ts'

const COMPANY = '11111111-1111-4111-8111-111111111111'
const BOOK = '66666666-6666-4666-8666-666666666666'

/** The charge as its event records it. */
function recorded(price: AliasPrice, usage: Usage, { amountMicros, lines, tierFactor }: Charge): RecordedCharge {
  const { tokensIn, tokensOut, serviceTier } = usage
  return charged(COMPANY, {
    ...{ price: { bookId: BOOK, ...price }, tokensIn, tokensOut, ...cachedTokens(usage), serviceTier },
    amountMicros: amountMicros.toString(),
    lines: lines.map((line) => ({ ...line, amountMicros: line.amountMicros.toString() })),
    tierFactor: tierFactor.toString(),
  }).data
}

describe('a charge of version 2', () => {
  const { lines: _, serviceTier: __, tierFactor: ___, abandoned: ____, ...facts } = charged(COMPANY).data
  const former = {
    ...facts,
    ...{ tokensIn: 1_000, tokensCached: 700, tokensCacheWrite: 100, tokensOut: 3, amountMicros: '343' },
    price: {
      ...{ bookId: BOOK, inputMicrosPerMillionTokens: '1000000', outputMicrosPerMillionTokens: '2500000' },
      ...{
        cachedInputMicrosPerMillionTokens: '100000',
        cacheWriteMicrosPerMillionTokens: '580000',
        perCallMicros: '7',
      },
    },
  }
  const charge = ledgerEvents.CallCharged.schema.parse(ledgerEvents.CallCharged.upcasters[2]?.(former))

  test('used what it records of cached input', () => {
    expect(recordedUsage(charge)).toEqual({
      ...{ tokensIn: 1_000, tokensOut: 3, parts: { cachedInput: 700, cacheWrite: 100 } },
      ...{ units: {}, serviceTier: null },
    })
    const unknown = { ...charge, tokensCached: null, tokensCacheWrite: null }
    expect(recordedUsage(unknown)).toMatchObject({ tokensIn: 1_000, tokensOut: 3, parts: {} })
  })

  test('is computed from its tokens and the rates and the fee of its price', () => {
    const { amountMicros, tierFactor } = recomputedCharge(charge)
    expect([amountMicros, tierFactor]).toEqual([200n + 70n + 58n + 8n + 7n, 1_000_000n])
    expect(isLimited(charge)).toBe(false)
  })
})

describe('a charge with lines', () => {
  const price: AliasPrice = {
    ...{ rates: { input: '1000000', cachedInput: '100000', output: '4000000' }, unitRates: { search: '5000000' } },
    ...{ tierFactors: { priority: '2000000' }, callMicros: '7' },
  }
  const usage: Usage = {
    ...{ tokensIn: 100, tokensOut: 20, parts: { cachedInput: 40, reasoning: 15 } },
    ...{ units: { search: 2 }, serviceTier: 'priority' },
  }
  const whole = chargeOf(price, usage, 'priority')
  const charge = recorded(price, usage, whole)

  test('used what its lines count', () => {
    expect(recordedUsage(charge)).toEqual(usage)
  })

  test('is computed with the factor that it was charged at, whatever tier was reported', () => {
    expect(recomputedCharge(charge)).toEqual(whole)
    expect(whole.amountMicros).toBe(120n + 8n + 40n + 120n + 10n + 7n)
    const notRequested = chargeOf(price, usage, null)
    expect(recomputedCharge(recorded(price, usage, notRequested))).toEqual(notRequested)
    expect(notRequested.amountMicros).toBe(60n + 4n + 20n + 60n + 10n + 7n)
  })

  test('that was limited by the bound of its call is computed up to the recorded amount', () => {
    const limited = chargeWithin(whole, 300n)
    const other = recorded(price, usage, limited)
    expect([isLimited(charge), isLimited(other)]).toEqual([false, true])
    expect(recomputedCharge(other)).toEqual(limited)
    expect(recordedUsage(other)).toEqual(usage)
  })

  test('differs from what is computed if its amount, a line, a count or a rate was changed', () => {
    const isAsComputed = (changes: Partial<RecordedCharge>) => {
      const changed = { ...charge, ...changes }
      const { amountMicros, lines } = recomputedCharge(changed)
      const texts = lines.map((line) => ({ ...line, amountMicros: line.amountMicros.toString() }))
      return changed.amountMicros === amountMicros.toString() && JSON.stringify(changed.lines) === JSON.stringify(texts)
    }
    const withLine = (change: object) => ({ lines: charge.lines?.with(1, { ...charge.lines[1], ...change } as never) })
    expect(isAsComputed({})).toBe(true)
    expect(isAsComputed({ amountMicros: '306' })).toBe(false)
    expect(isAsComputed({ tokensIn: 101 })).toBe(false)
    expect(isAsComputed({ tierFactor: '2000001' })).toBe(false)
    expect(isAsComputed({ lines: charge.lines?.slice(1) })).toBe(false)
    for (const change of [{ amountMicros: '9' }, { count: 41 }, { rate: '100001' }, { kind: 'cacheWrite' }])
      expect(isAsComputed(withLine(change))).toBe(false)
  })
})

describe('any charge', () => {
  const PARTS = [...INPUT_PARTS, ...OUTPUT_PARTS]
  const rate = fc.nat({ max: 10_000_000 }).map(String)
  const rates = fc
    .tuple(rate, rate, fc.dictionary(fc.constantFrom(...PARTS), rate))
    .map(([input, output, others]) => ({ ...others, input, output }))
  const tier = fc.constantFrom(null, 'default', 'flex', 'priority')
  const factors = fc.dictionary(fc.constantFrom('flex', 'priority'), rate)
  const inputTiers = fc.record({ tokens: fc.integer({ min: 1, max: 400 }), inclusive: fc.boolean(), rates })
  const anyPrice: fc.Arbitrary<AliasPrice> = fc.record(
    {
      ...{ rates, inputTiers: inputTiers.map((one) => [one]), tierFactors: factors, callMicros: rate },
      unitRates: fc.tuple(rate, rate).map(([image, search]) => ({ image, search })),
    },
    { requiredKeys: ['rates', 'unitRates'] },
  )
  const count = fc.nat({ max: 500 })
  const anyUsage = fc
    .record({
      ...{ tokensIn: count, tokensOut: count, parts: fc.dictionary(fc.constantFrom(...PARTS), count) },
      ...{ units: fc.dictionary(fc.constantFrom('image', 'search'), count), serviceTier: tier },
    })
    .map((usage) => boundedUsage(usage))

  test('is computed again, line by line, from its event', () => {
    fc.assert(
      fc.property(
        anyPrice,
        anyUsage,
        tier,
        fc.option(fc.bigInt({ min: 0n, max: 2_000n })),
        (price, usage, requested, most) => {
          const whole = chargeOf(price, usage, requested)
          const charge = most === null ? whole : chargeWithin(whole, most)
          const event = recorded(price, usage, charge)
          expect(recomputedCharge(event)).toEqual(charge)
          expect(isLimited(event)).toBe(charge.amountMicros < whole.amountMicros)
          expect(recordedUsage(event)).toEqual(withoutZeros(usage))
        },
      ),
      { numRuns: propertyRuns({ few: 300, many: 3_000 }) },
    )
  })

  /** Lines of nothing are not recorded, so parts and units of nothing are not found again. */
  function withoutZeros(usage: Usage): Usage {
    const counted = <T extends object>(counts: T) =>
      Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0)) as T
    return { ...usage, parts: counted(usage.parts), units: counted(usage.units) }
  }

  test('of no usage has no lines, and used nothing', () => {
    const price = { rates: { input: '1', output: '1' } }
    const event = recorded(price, NO_USAGE, chargeOf(price, NO_USAGE, null))
    expect(event.lines).toEqual([])
    expect(recordedUsage(event)).toEqual(NO_USAGE)
    expect(recomputedCharge(event).amountMicros).toBe(0n)
  })
})
