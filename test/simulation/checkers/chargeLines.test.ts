import { describe, expect, test } from 'vitest'
import { type ChargeWithLines, chargeWrong, costOf, factorFor, linesWrong, type Price, usedBy } from './chargeLines.ts'

const PRICE: Price = { rates: { input: '2000000', output: '6000000' } }
const used = { tokensIn: 10, tokensOut: 5, kinds: {}, units: {} }
const USUAL = '1000000'

describe('the cost of a call', () => {
  test('is that of input and output at their rates', () => {
    expect(costOf(used, PRICE, USUAL)).toBe(50n)
  })

  test('is rounded up once to a millionth of a credit, with the fee of the call', () => {
    const price = { rates: { input: '1', output: '1' }, callMicros: '7' }
    expect(costOf({ ...used, tokensIn: 1, tokensOut: 1 }, price, USUAL)).toBe(8n)
  })

  test('takes kinds with a rate of their own out of input and output', () => {
    const price = { rates: { ...PRICE.rates, cachedInput: '1000000', cacheWrite: '3000000', reasoning: '7000000' } }
    const kinds = { cachedInput: 4, cacheWrite: 2, cacheWrite1h: 1, reasoning: 3 }
    expect(costOf({ ...used, kinds }, price, USUAL)).toBe(6n + 4n + 6n + 3n + 12n + 21n)
  })

  test('has the rates of input and output for kinds without a rate', () => {
    expect(costOf({ ...used, kinds: { cachedInput: 4, cacheWrite1h: 1, reasoning: 3 } }, PRICE, USUAL)).toBe(50n)
  })

  test('has the rates of the last input tier that the whole input reaches', () => {
    const tier = (tokens: number, inclusive: boolean, input: string) => {
      return { tokens, inclusive, rates: { input, output: '0' } }
    }
    const inputTiers = [tier(9, false, '3000000'), tier(10, true, '4000000'), tier(11, false, '5000000')]
    const costAt = (tokensIn: number) => costOf({ ...used, tokensIn, tokensOut: 0 }, { ...PRICE, inputTiers }, USUAL)
    expect([9, 10, 11, 12].map(costAt)).toEqual([18n, 40n, 44n, 60n])
  })

  test('has the factor of the service tier for tokens, and not for units and the fee of the call', () => {
    const price = { ...PRICE, unitRates: { search: '5000000' }, callMicros: '7' }
    expect(costOf({ ...used, units: { search: 2 } }, price, '1500000')).toBe(75n + 10n + 7n)
  })
})

test('the factor is that of the reported tier, but not above that of the request', () => {
  const price = { ...PRICE, tierFactors: { flex: '500000', priority: '2000000' } }
  const factors = (requested: string | null) => {
    return [null, 'flex', 'priority'].map((reported) => factorFor(price, reported, requested))
  }
  expect(factors(null)).toEqual([USUAL, '500000', USUAL])
  expect(factors('flex')).toEqual([USUAL, '500000', USUAL])
  expect(factors('priority')).toEqual([USUAL, '500000', '2000000'])
  expect(factors('auto')).toEqual([USUAL, '500000', '2000000'])
})

describe('the lines of a charge', () => {
  const price = { ...PRICE, unitRates: { search: '100000' }, tierFactors: { flex: '250000' }, callMicros: '7' }
  const charge: ChargeWithLines = {
    ...{ tokensIn: 11, tokensOut: 5, tokensCached: 4, tokensCacheWrite: null, price, amountMicros: '34' },
    ...{ serviceTier: 'flex', tierFactor: '250000' },
    lines: [
      { kind: 'input', count: 7, rate: '2000000', amountMicros: '4' },
      { kind: 'cachedInput', count: 4, rate: '2000000', amountMicros: '2' },
      { kind: 'output', count: 2, rate: '6000000', amountMicros: '3' },
      { kind: 'reasoning', count: 3, rate: '6000000', amountMicros: '4' },
      { kind: 'search', count: 131, rate: '100000', amountMicros: '14' },
      { kind: 'call', count: 1, rate: '7000000', amountMicros: '7' },
    ],
  }
  const { lines } = charge as { lines: NonNullable<ChargeWithLines['lines']> }
  const withLine = (n: number, change: object) =>
    chargeWrong({ ...charge, lines: lines.with(n, { ...lines[n], ...change } as never) })

  test('that agree with their price and their call are right', () => {
    expect(chargeWrong(charge)).toBeNull()
    const kinds = { cachedInput: 4, reasoning: 3 }
    expect(usedBy(charge)).toEqual({ tokensIn: 11, tokensOut: 5, kinds, units: { search: 131 } })
    expect(costOf(usedBy(charge), price, '250000')).toBe(34n)
  })

  test('that take off what is beyond the bound are right if they add up to the charge', () => {
    const beyond = { kind: 'beyondBound', count: 0, rate: '0', amountMicros: '-6' }
    const limited = { ...charge, amountMicros: '28', lines: [...lines, beyond] }
    expect(chargeWrong(limited)).toBeNull()
    expect(chargeWrong({ ...limited, amountMicros: '29' })).toBe('costs 28, and not 29')
    expect(chargeWrong({ ...limited, lines: [beyond, ...lines] })).toBe('has a wrong line beyondBound')
    expect(chargeWrong({ ...limited, lines: [...lines, { ...beyond, amountMicros: '6' }] })).toContain('a wrong line')
  })

  test('that differ in any value are found', () => {
    expect(chargeWrong({ ...charge, lines: null })).toBe('has no lines')
    expect(chargeWrong({ ...charge, amountMicros: '35' })).toBe('costs 34, and not 35')
    expect(withLine(0, { count: 8 })).toBe('counts 8 input, and not 7')
    expect(withLine(3, { rate: '6000001' })).toBe('has reasoning at the rate 6000001, and not 6000000')
    expect(withLine(5, { amountMicros: '8' })).toBe('has call for 8, and not 7')
    expect(withLine(2, { kind: 'input' })).toBe('has a line input too many')
    expect(chargeWrong({ ...charge, lines: lines.slice(0, 5) })).toBe('has no line call')
  })

  test('that do not count what the call used are found', () => {
    expect(linesWrong(charge, { ...usedBy(charge), tokensOut: 6 })).toBe('counts 2 output, and not 3')
    expect(linesWrong(charge, { ...usedBy(charge), units: {} })).toBe('has a line search too many')
  })

  test('with other cached tokens, or a factor of no reported tier, are found', () => {
    expect(chargeWrong({ ...charge, tokensCached: 5 })).toContain('says 5 cached tokens')
    expect(chargeWrong({ ...charge, tokensCacheWrite: 1 })).toContain('says 1 tokens written')
    expect(chargeWrong({ ...charge, tierFactor: '250001' })).toContain('has the factor 250001')
    const dearer = { ...price, tierFactors: { flex: '250000', priority: '2000000' } }
    expect(chargeWrong({ ...charge, price: dearer, tierFactor: '2000000' })).toContain('for the tier flex')
  })
})
