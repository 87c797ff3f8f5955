import { describe, expect, test } from 'vitest'
import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { type Charge, chargeMaxMicros, chargeOf, chargeWithin } from './charge.ts'
import { NO_USAGE, type Usage } from './usage.ts'

/** A micro for a token of input, and four for one of output. */
const rates = { input: '1000000', output: '4000000' }
const plain: AliasPrice = { rates }
const used = (changes: Partial<Usage>): Usage => ({ ...NO_USAGE, ...changes })

/** The lines as `count kind = micros`. */
const linesOf = ({ lines }: Charge) =>
  lines.map(({ kind, count, amountMicros }) => `${count} ${kind} = ${amountMicros}`)

function expectCharge(charge: Charge, lines: readonly string[], amountMicros: bigint): void {
  expect(linesOf(charge)).toEqual(lines)
  expect(charge.amountMicros).toBe(amountMicros)
}

describe('what a call is charged', () => {
  test('is its input and its output at their rates', () => {
    const charge = chargeOf(plain, used({ tokensIn: 1_000, tokensOut: 50 }), null)
    expectCharge(charge, ['1000 input = 1000', '50 output = 200'], 1_200n)
    expect(charge.lines.map(({ rate }) => rate)).toEqual([rates.input, rates.output])
    expect(charge.tierFactor).toBe(1_000_000n)
  })

  test('is nothing, without a line, for a call that used nothing', () => {
    expectCharge(chargeOf(plain, NO_USAGE, null), [], 0n)
  })

  test('takes cached input and both kinds of cache writes out of the input, each at its rate', () => {
    const price = { rates: { ...rates, cachedInput: '100000', cacheWrite: '1250000', cacheWrite1h: '2000000' } }
    const parts = { cachedInput: 700, cacheWrite: 80, cacheWrite1h: 20 }
    expectCharge(
      chargeOf(price, used({ tokensIn: 1_000, parts }), null),
      ['200 input = 200', '700 cachedInput = 70', '20 cacheWrite1h = 40', '80 cacheWrite = 100'],
      410n,
    )
  })

  test('takes the rate of other cache writes for those of an hour, and that of input if there is none either', () => {
    const usage = used({ tokensIn: 10, parts: { cacheWrite1h: 10 } })
    expectCharge(chargeOf({ rates: { ...rates, cacheWrite: '3000000' } }, usage, null), ['10 cacheWrite1h = 30'], 30n)
    expectCharge(chargeOf(plain, usage, null), ['10 cacheWrite1h = 10'], 10n)
  })

  test('takes the rate of output for reasoning that has no rate of its own', () => {
    const usage = used({ tokensOut: 50, parts: { reasoning: 30 } })
    expectCharge(chargeOf(plain, usage, null), ['20 output = 80', '30 reasoning = 120'], 200n)
    const dearer = { rates: { ...rates, reasoning: '6000000' } }
    expectCharge(chargeOf(dearer, usage, null), ['20 output = 80', '30 reasoning = 180'], 260n)
  })

  test('takes audio and images out of both directions', () => {
    const price = { rates: { ...rates, audioInput: '2000000', imageInput: '3000000', audioOutput: '5000000' } }
    const parts = { audioInput: 10, imageInput: 20, audioOutput: 4, imageOutput: 1 }
    expectCharge(
      chargeOf(price, used({ tokensIn: 100, tokensOut: 10, parts }), null),
      [
        '70 input = 70',
        '10 audioInput = 20',
        '20 imageInput = 60',
        '5 output = 20',
        '4 audioOutput = 20',
        '1 imageOutput = 4',
      ],
      194n,
    )
  })

  test.each([
    ['above an exclusive threshold', false, 200_000, rates.input],
    ['at an inclusive threshold', true, 199_999, rates.input],
  ])('has the rates of larger input %s', (_, inclusive, lastSmaller, before) => {
    const larger = { input: '2000000', output: '6000000' }
    const price = { rates, inputTiers: [{ tokens: 200_000, inclusive, rates: larger }] }
    const rateAt = (tokensIn: number) =>
      chargeOf(price, used({ tokensIn, tokensOut: 1, parts: { cachedInput: tokensIn - 1 } }), null).lines.map(
        ({ rate }) => rate,
      )
    expect(rateAt(lastSmaller)).toEqual([before, before, rates.output])
    expect(rateAt(lastSmaller + 1)).toEqual([larger.input, larger.input, larger.output])
  })

  test('has the rates of the highest input tier that it reaches', () => {
    const tier = (tokens: number, rate: string) => ({ tokens, inclusive: false, rates: { input: rate, output: rate } })
    const price = { rates, inputTiers: [tier(10, '2000000'), tier(20, '3000000')] }
    const amounts = [10, 11, 20, 21].map((tokensIn) => chargeOf(price, used({ tokensIn }), null).amountMicros)
    expect(amounts).toEqual([10n, 22n, 40n, 63n])
  })

  test('has fees for units and for the call itself', () => {
    const unitRates = { image: '40000000000', 'tool:web_search': '10000000000' }
    const price = { rates, unitRates, callMicros: '7' }
    const charge = chargeOf(price, used({ tokensIn: 5, units: { 'tool:web_search': 3, image: 1 } }), null)
    expectCharge(charge, ['5 input = 5', '1 image = 40000', '3 tool:web_search = 30000', '1 call = 7'], 70_012n)
    expectCharge(chargeOf(price, NO_USAGE, null), ['1 call = 7'], 7n)
  })

  test('cannot be computed for a unit without a price, which is never free', () => {
    expect(() => chargeOf(plain, used({ units: { search: 1 } }), null)).toThrow(
      /used search, which its price has no rate/,
    )
  })

  test('is rounded up once: lines carry what is left of a micro on to the next line', () => {
    const price = { rates: { input: '400000', cachedInput: '400000', output: '400000' } }
    const usage = used({ tokensIn: 2, tokensOut: 1, parts: { cachedInput: 1 } })
    expectCharge(chargeOf(price, usage, null), ['1 input = 1', '1 cachedInput = 0', '1 output = 1'], 2n)
  })

  test('loses nothing above what a double can hold', () => {
    const price = { rates: { input: '9007199254740993', output: '1' } }
    expect(chargeOf(price, used({ tokensIn: 1_000_000 }), null).amountMicros).toBe(9_007_199_254_740_993n)
    expect(chargeOf(price, used({ tokensIn: 1_000_000, tokensOut: 1 }), null).amountMicros).toBe(9_007_199_254_740_994n)
  })
})

describe('the service tier of a call', () => {
  const price: AliasPrice = {
    rates,
    tierFactors: { flex: '500000', priority: '2500000' },
    ...{ unitRates: { search: '1000000' }, callMicros: '7' },
  }
  const charged = (requested: string | null, reported: string | null) =>
    chargeOf(price, used({ tokensIn: 100, serviceTier: reported }), requested).amountMicros - 7n

  test('multiplies the rates of tokens, and neither units nor the fee of the call', () => {
    const usage = used({ tokensIn: 100, tokensOut: 10, units: { search: 4 }, serviceTier: 'priority' })
    const charge = chargeOf(price, usage, 'priority')
    expectCharge(charge, ['100 input = 250', '10 output = 100', '4 search = 4', '1 call = 7'], 361n)
    expect(charge.tierFactor).toBe(2_500_000n)
  })

  test('is charged as reported', () => {
    expect(charged('priority', 'priority')).toBe(250n)
    expect(charged('priority', 'default')).toBe(100n)
    expect(charged('priority', 'flex')).toBe(50n)
    expect(charged('flex', 'flex')).toBe(50n)
    expect(charged(null, 'flex')).toBe(50n)
    expect(charged('auto', 'priority')).toBe(250n)
  })

  test('is charged at the usual rates if none is reported, or one that the price does not name', () => {
    expect(charged('priority', null)).toBe(100n)
    expect(charged('flex', null)).toBe(100n)
    expect(charged('priority', 'scale')).toBe(100n)
    expect(charged(null, 'constructor')).toBe(100n)
  })

  test('is charged at most as requested, and at the usual rates if no tier was requested', () => {
    expect(charged(null, 'priority')).toBe(100n)
    expect(charged('default', 'priority')).toBe(100n)
    expect(charged('flex', 'priority')).toBe(100n)
  })
})

describe('a charge above the bound of its call', () => {
  const charge = chargeOf(plain, used({ tokensIn: 1_000, tokensOut: 50 }), null)

  test('has a line that takes off what is beyond it', () => {
    const limited = chargeWithin(charge, 1_150n)
    expectCharge(limited, ['1000 input = 1000', '50 output = 200', '0 beyondBound = -50'], 1_150n)
  })

  test('has no such line if it is as large as the bound', () => {
    expect(chargeWithin(charge, 1_200n)).toBe(charge)
  })
})

describe('the most that a call can be charged', () => {
  const bound = { tokensIn: 1_000, tokensOut: 100, parts: {}, units: {} }

  test('is all tokens at the dearest kind of their direction', () => {
    expect(chargeMaxMicros(plain, bound, null)).toBe(1_400n)
    const price = { rates: { ...rates, cachedInput: '100000', cacheWrite1h: '2000000', reasoning: '5000000' } }
    expect(chargeMaxMicros(price, bound, null)).toBe(2_500n)
  })

  test('leaves out kinds that the call cannot use, or not so often', () => {
    const price = { rates: { ...rates, cacheWrite1h: '2000000' } }
    expect(chargeMaxMicros(price, { ...bound, parts: { cacheWrite1h: 0 } }, null)).toBe(1_400n)
    expect(chargeMaxMicros(price, { ...bound, parts: { cacheWrite1h: 10 } }, null)).toBe(1_410n)
  })

  test('is that of the dearest input tier within reach, whether input of that size costs more or less', () => {
    const tier = { tokens: 1_000, inclusive: true, rates: { input: '2000000', output: '4000000' } }
    expect(chargeMaxMicros({ rates, inputTiers: [tier] }, bound, null)).toBe(2_400n)
    expect(chargeMaxMicros({ rates, inputTiers: [{ ...tier, inclusive: false }] }, bound, null)).toBe(1_400n)
    const cheaper = { ...tier, rates: { input: '1', output: '1' } }
    expect(chargeMaxMicros({ rates, inputTiers: [cheaper] }, bound, null)).toBe(1_400n)
  })

  test('has the factor of the requested tier, but at least the usual one, and for auto the highest', () => {
    const price = { rates, tierFactors: { flex: '500000', priority: '2500000' } }
    const most = (requested: string | null) => chargeMaxMicros(price, bound, requested)
    expect([null, 'flex', 'priority', 'auto'].map(most)).toEqual([1_400n, 1_400n, 3_500n, 3_500n])
  })

  test('includes every unit that the call may use, and the fee of the call', () => {
    const price = { rates, unitRates: { search: '10000000' }, callMicros: '7' }
    expect(chargeMaxMicros(price, { ...bound, units: { search: 3 } }, null)).toBe(1_437n)
  })
})
