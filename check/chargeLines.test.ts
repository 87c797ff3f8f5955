import { describe, expect, test } from 'vitest'
import {
  bookOf,
  type Charged,
  chargeOf,
  faultsOf,
  receiptOf,
  USAGE,
  withData,
  withLine,
  withLines,
} from '../test/support/transparency/pricedReceipts.ts'

describe('the lines of a charge', () => {
  test('are computed again from counts, tiers, units, factor and fee', async () => {
    const charge = chargeOf()
    expect(charge.data.lines?.map(({ kind, count, rate }) => `${count} ${kind} at ${rate}`)).toEqual([
      '200 input at 6000000',
      '30 cachedInput at 6000000',
      '20 cacheWrite1h at 7500000',
      '25 output at 22500000',
      '15 reasoning at 22500000',
      '1 image at 40000000000',
      '2 search at 10000000000',
      '1 call at 7000000',
    ])
    expect(await faultsOf(await receiptOf(charge, bookOf(null)))).toEqual([])
  })

  test.for([
    [200, '3000000'],
    [201, '6000000'],
    [299, '6000000'],
    [300, '7000000'],
  ] as const)('have the rates for input of their size: %i tokens', async ([tokensIn, rate]) => {
    const charge = chargeOf({ usage: { ...USAGE, tokensIn } })
    expect(charge.data.lines?.[0]).toMatchObject({ kind: 'input', rate })
    expect(await faultsOf(await receiptOf(charge, bookOf(null)))).toEqual([])
  })

  test('may be charged at a lower tier than the one that is reported, and take off what exceeds a bound', async () => {
    for (const charge of [chargeOf({ requestedTier: 'default' }), chargeOf({ mostMicros: 99n })]) {
      expect(await faultsOf(await receiptOf(charge, bookOf(null)))).toEqual([])
    }
  })

  const charge = chargeOf()
  const bounded = chargeOf({ mostMicros: 99n })
  test.for<[string, Charged, string]>([
    ['a rate', withLine(charge, 0, { rate: '7000000' }), '"input": 200 at "7000000" for 2400, where it has to be'],
    ['a count', withLine(charge, 0, { count: 201 }), 'line 1 of the charge is "input": 201'],
    ['the count of a part', withLine(charge, 4, { count: 16 }), 'line 4 of the charge is "output": 25'],
    ['a cached count', withLine(charge, 1, { count: 31 }), 'tokensCached is 30, where the lines have 31'],
    [
      'an amount',
      withLine(charge, 3, { amountMicros: '1' }),
      'line 4 of the charge is "output": 25 at "22500000" for 1,',
    ],
    ['a kind', withLine(charge, 6, { kind: 'character' }), 'the price has no rate for "character"'],
    [
      'the order of units',
      withLines(charge, (lines) => [...lines.slice(0, 5), ...lines.slice(5, 7).reverse(), ...lines.slice(7)]),
      'line 6 of the charge is "search": 2',
    ],
    [
      'a line too many',
      withLines(charge, (lines) => [...lines, { kind: 'call', count: 1, rate: '7000000', amountMicros: '7' }]),
      'line 9 of the charge is "call": 1 at "7000000" for 7, where it has to be missing',
    ],
    ['a missing line', withLines(charge, (lines) => lines.slice(0, -1)), 'line 8 of the charge is missing'],
    ['a further field', withLine(charge, 0, { discount: 1 }), 'line 1 of the charge is one with a field "discount"'],
    ['the amount', withData(charge, { amountMicros: '1' }), 'the charge is "1", where its lines add up to'],
    ['the tokens', withData(charge, { tokensIn: 260 }), 'line 1 of the charge is "input": 200 at "6000000"'],
    [
      'tokens below the threshold',
      withData(charge, { tokensIn: 200 }),
      'at "6000000" for 2400, where it has to be "input": 150 at "3000000"',
    ],
    ['too few tokens', withData(charge, { tokensOut: 14 }), 'more parts of the output than its 14 tokens'],
    ['the tier', withData(charge, { serviceTier: 'flex' }), 'the tier factor is 2000000, where the price has 500000'],
    [
      'the tier factor',
      withData(charge, { tierFactor: '3000000' }),
      'the tier factor is 3000000, where the price has 2000000',
    ],
    ['a lower factor', withData(charge, { tierFactor: '1000000' }), 'line 1 of the charge is "input": 200'],
    [
      'what was taken off',
      withLine(bounded, 8, { amountMicros: '-1' }),
      'line 9 of the charge is "beyondBound": 0 at "0" for -1',
    ],
    ['something else taken off', withLine(bounded, 8, { kind: 'rebate' }), 'the price has no rate for "rebate"'],
    ['no number', withLine(charge, 0, { count: '200' }), '"200" is not a number of tokens or units'],
    ['no lines at all', withData(charge, { lines: null }), 'the charge has a tier factor, "2000000", and no lines'],
    [
      'neither lines nor factor',
      withData(charge, { lines: null, tierFactor: null }),
      'is not what its tokens cost at the recorded rates: "',
    ],
    ['no list', withData(charge, { lines: 'none' }), 'the charge cannot be computed'],
  ])('are refused with %s changed', async ([, forged, reason]) => {
    const faults = await faultsOf(await receiptOf(forged, bookOf(null)))
    expect(faults).toEqual([expect.stringMatching(/^amount: /)])
    expect(faults[0]).toContain(reason)
  })
})
