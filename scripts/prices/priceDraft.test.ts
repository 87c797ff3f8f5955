import { expect, test } from 'vitest'
import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { draftOf, draftText } from './priceDraft.ts'

const simple: AliasPrice = { rates: { input: '150000', output: '600000' } }
const full: AliasPrice = {
  rates: { input: '2500000', cachedInput: '1250000', cacheWrite1h: '3000000', output: '10000000' },
  inputTiers: [{ tokens: 200_000, inclusive: false, rates: { input: '5000000', output: '15000000' } }],
  unitRates: { image: '40000000000', 'tool:web_search': '1' },
  tierFactors: { priority: '1800000' },
  callMicros: '2000',
}
const left = [
  { field: 'output_cost_per_image', reason: 'there is no such rate' },
  { field: 'tiered_pricing', reason: 'it is not a number' },
  { field: 'citation_cost_per_token', reason: 'there is no such rate' },
]
const file = (prices: Record<string, AliasPrice>) => ({
  prices: new Map(Object.entries(prices).map(([alias, price]) => [alias, { price, from: 'large-1', left }])),
  missing: new Map<string, string>(),
})
const changesOf = (before: AliasPrice, after: AliasPrice) =>
  draftOf(file({ a: after }), new Map([['a', before]])).changed.flatMap(({ changes }) => changes)

test('a draft shows what changes, what stays and what has no price', () => {
  const imported = {
    prices: new Map([
      ['acme/large', { price: full, from: 'large-1', left }],
      ['acme/same', { price: simple, from: 'same-1', left: [] }],
      ['acme/new', { price: simple, from: 'new-1', left: [] }],
    ]),
    missing: new Map([['acme/lost', 'the list has no entry lost-1']]),
  }
  const current = new Map<string, AliasPrice>([
    ['acme/large', { rates: { input: '2000000', output: '10000000', reasoning: '0' }, callMicros: '1' }],
    ['acme/same', simple],
  ])
  const draft = draftOf(imported, current)
  expect(draft.changed.map(({ alias }) => alias)).toEqual(['acme/large', 'acme/new'])
  expect(draftText(draft)).toBe(`acme/large, from large-1
  input                               2 → 2.5
  cached input                        none → 1.25
  cache write 1h                      none → 3
  per call                            0.000001 → 0.002
  input above 200000 tokens of input  none → 5
  output above 200000 tokens of input none → 15
  per image                           none → 0.04
  per tool:web_search                 none → 0.000000000001
  factor of priority                  none → 1.8
  reasoning                           0 → none
  not imported, because there is no such rate: output_cost_per_image, citation_cost_per_token
  not imported, because it is not a number: tiered_pricing
acme/new, from new-1
  input        none → 0.15
  output       none → 0.6
unchanged: acme/same
acme/lost: no price, the list has no entry lost-1
`)
})

test.each<[string, AliasPrice, string]>([
  ['a rate of larger input', { ...full, inputTiers: undefined }, 'input above 200000 tokens of input'],
  [
    'whether a size is included',
    { ...full, inputTiers: full.inputTiers?.map((tier) => ({ ...tier, inclusive: true })) },
    'input from 200000 tokens of input',
  ],
  ['the fee of a unit', { ...full, unitRates: { image: '1' } }, 'per image'],
  ['the factor of a service tier', { ...full, tierFactors: { priority: '2000000' } }, 'factor of priority'],
  ['the fee of a call', { ...full, callMicros: undefined }, 'per call'],
  ['a rate', { ...full, rates: { ...full.rates, reasoning: '1' } }, 'reasoning'],
])('a draft counts %s as a change, in both directions', (_, other, rate) => {
  expect(changesOf(full, other)).toContainEqual(expect.objectContaining({ rate }))
  expect(changesOf(other, full)).toContainEqual(expect.objectContaining({ rate }))
  expect(changesOf(other, other)).toEqual([])
})
