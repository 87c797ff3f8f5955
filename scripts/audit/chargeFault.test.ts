import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { chargeOf, chargeWithin } from '../../domain/pricing/charge.ts'
import type { RecordedCharge } from '../../domain/pricing/recordedCharge.ts'
import { cachedTokens, type Usage } from '../../domain/pricing/usage.ts'
import { charged } from '../../test/support/events/ledgerEvents.ts'
import { chargeFault, recomputedMicros } from './chargeFault.ts'

const PRICE: AliasPrice = {
  rates: {
    input: '3000000',
    cachedInput: '300000',
    cacheWrite1h: '6000000',
    output: '15000000',
    reasoning: '16000000',
  },
  inputTiers: [{ tokens: 1_000, inclusive: false, rates: { input: '6000000', output: '22500000' } }],
  unitRates: { 'tool:web_search': '10000000000' },
  tierFactors: { priority: '2000000', flex: '500000' },
  callMicros: '7',
}
const USAGE: Usage = {
  ...{ tokensIn: 900, tokensOut: 200, serviceTier: 'priority' },
  parts: { cachedInput: 400, cacheWrite1h: 100, reasoning: 50 },
  units: { 'tool:web_search': 2 },
}

/** The charge as the ledger records it. */
function recorded({ usage = USAGE, requested = 'priority', mostMicros = 10n ** 18n } = {}): RecordedCharge {
  const { amountMicros, lines, tierFactor } = chargeWithin(chargeOf(PRICE, usage, requested), mostMicros)
  const { tokensIn, tokensOut, serviceTier } = usage
  return charged(randomUUID(), {
    ...{ tokensIn, tokensOut, serviceTier, ...cachedTokens(usage), amountMicros: amountMicros.toString() },
    price: { bookId: randomUUID(), ...PRICE },
    lines: lines.map((line) => ({ ...line, amountMicros: line.amountMicros.toString() })),
    tierFactor: tierFactor.toString(),
  }).data
}

const right = recorded()
const linesWith = (kind: string, change: object) => ({
  lines: right.lines?.map((line) => (line.kind === kind ? { ...line, ...change } : line)) ?? null,
})

describe('a charge that follows from its price and usage', () => {
  test.each([
    ['with every kind of line', right],
    ['of larger input', recorded({ usage: { ...USAGE, tokensIn: 2_000 } })],
    ['at a dearer tier than was requested', recorded({ requested: 'flex' })],
    ['that its hold limited', recorded({ mostMicros: 9n })],
    ['of nothing', recorded({ usage: { tokensIn: 0, tokensOut: 0, parts: {}, units: {}, serviceTier: null } })],
  ])('%s is right', (_, charge) => {
    expect(chargeFault(charge)).toBeNull()
    expect(recomputedMicros(charge)).toBe(BigInt(charge.amountMicros))
  })

  test('without lines, from before there were any, is right by its amount', () => {
    const price = { bookId: randomUUID(), rates: { input: '1000000', cachedInput: '500000', output: '2000000' } }
    const former = { tokensIn: 10, tokensOut: 20, tokensCached: 4, price, lines: null, tierFactor: null }
    expect(chargeFault(charged(randomUUID(), { ...former, amountMicros: '48' }).data)).toBeNull()
    expect(chargeFault(charged(randomUUID(), { ...former, amountMicros: '49' }).data)).toMatch(/does not equal/)
  })
})

describe('a charge that does not follow from its price and usage is found', () => {
  const amount = /^the charge does not equal its price times its tokens and units$/
  test.each<[string, Partial<RecordedCharge>, RegExp]>([
    ['by its amount', { amountMicros: (BigInt(right.amountMicros) + 1n).toString() }, amount],
    ['by the tokens that its lines do not count', { tokensOut: 201 }, amount],
    ['by a count', linesWith('reasoning', { count: 51 }), amount],
    ['by a unit', linesWith('tool:web_search', { count: 3 }), amount],
    ['by the count of a line', linesWith('output', { count: 149 }), /^line 4 of the charge, output, /],
    ['by the rate of a line', linesWith('cachedInput', { rate: '300001' }), /^line 2 of the charge, cachedInput, /],
    ['by the amount of a line', linesWith('call', { amountMicros: '8' }), /^line 7 of the charge, call, /],
    ['by a line too many', { lines: [...(right.lines ?? []), ...(right.lines?.slice(0, 1) ?? [])] }, /^line 8 .*input/],
    ['by a missing line', { lines: right.lines?.slice(1) ?? null }, /^line 1 of the charge/],
    ['by the order of its lines', { lines: right.lines?.toReversed() ?? null }, /^line 1 of the charge/],
    [
      'by a unit without a price',
      linesWith('tool:web_search', { kind: 'image' }),
      /^the price of the charge has no rate for image$/,
    ],
    ['by its cached input', { tokensCached: 401 }, /^the cached input of the charge is not that of its lines$/],
    ['by its cache writes', { tokensCacheWrite: null }, /^the cached input of the charge/],
    ['by a factor that its price does not have', { tierFactor: '1500000' }, /^the factor of the charge/],
    ['by a dearer factor than that of its tier', { serviceTier: 'flex' }, /^the factor of the charge/],
    ['by a missing factor', { tierFactor: null }, /^the factor of the charge/],
  ])('%s', (_, changes, fault) => {
    expect(chargeFault({ ...right, ...changes })).toMatch(fault)
  })

  test('by what was taken off beyond its bound', () => {
    const limited = recorded({ mostMicros: 9n })
    const lines = limited.lines?.map((line) => (line.kind === 'beyondBound' ? { ...line, amountMicros: '-1' } : line))
    expect(chargeFault({ ...limited, lines: lines ?? null })).toMatch(/^line \d of the charge, beyondBound, /)
  })

  test('without an amount to compare, if a unit has no price', () => {
    expect(recomputedMicros({ ...right, ...linesWith('tool:web_search', { kind: 'image' }) })).toBeNull()
  })
})
