import { expect, test } from 'vitest'
import { costOf, errorShare, marginByAlias } from './modelWords.ts'

const ENTRY = { group: 'svc/chat', currency: 'USD', calls: 2, failures: 1, amountMicros: '500', costMicros: '100' }

test('the margin of an alias adds up its currencies and counts the calls of unknown cost', () => {
  const margin = marginByAlias([
    ENTRY,
    { ...ENTRY, currency: 'EUR', costMicros: '7' },
    { ...ENTRY, currency: 'USD', costMicros: '1' },
    { ...ENTRY, currency: null, costMicros: null, calls: 5 },
    { ...ENTRY, group: 'svc/other' },
  ])
  expect(margin.get('svc/chat')).toEqual({
    calls: 11,
    failures: 4,
    chargedMicros: 2_000n,
    costMicros: new Map([
      ['USD', 101n],
      ['EUR', 7n],
    ]),
    unknownCalls: 5,
  })
  expect(margin.get('svc/other')?.calls).toBe(2)
})

test('a provider without calls has no error rate', () => {
  expect(errorShare({ answers: 0, errors: 0 })).toBeNull()
  expect(errorShare({ answers: 3, errors: 1 })).toBe(0.25)
})

test('the cost of a trial call is shown with its currency, or why it is unknown', () => {
  const test = {
    ...{ id: '1', provider: 'acme', wire: 'chat', status: 200, firstByteMs: 1, totalMs: 2, tokensIn: 9, tokensOut: 1 },
    ...{ costMicros: '1250', costCurrency: 'usd', error: null },
  }
  expect(costOf(test)).toBe('0.00125 USD')
  expect(costOf({ ...test, costMicros: null, costCurrency: null })).toMatch(/providers file has no cost/)
  expect(costOf({ ...test, costMicros: null, costCurrency: null, tokensIn: null })).toBe('Unknown')
})
