import { describe, expect, test } from 'vitest'
import { decimalOf } from './decimal.ts'
import { parseExactly } from './exactJson.ts'
import { liteLlmPrices } from './liteLlmList.ts'

const ONE = decimalOf('1', '--times')
const provider = (model: string) => ({ providers: [{ model }] })
const PROVIDERS = {
  'acme/large': provider('large-1'),
  'acme/small': provider('small-1'),
  'acme/lost': provider('lost-1'),
  'acme/twice': provider('twice-1'),
  'acme/ranking': provider('rank-1'),
} as unknown as Parameters<typeof liteLlmPrices>[1]['providers']
const chat = (input: string) => `{ "mode": "chat", "input_cost_per_token": ${input}, "output_cost_per_token": 1e-5 }`
const LIST = parseExactly(`{
  "large-1": ${chat('2.5e-6')}, "host/small-1": ${chat('1.5000000000000002e-7')},
  "one/twice-1": ${chat('1e-6')}, "other/twice-1": ${chat('3e-6')},
  "rank-1": { "mode": "rerank", "input_cost_per_query": 0.001 }
}`)
const listed = (options: Partial<Parameters<typeof liteLlmPrices>[1]> = {}) =>
  liteLlmPrices(LIST, { providers: PROVIDERS, entries: new Map(), times: ONE, ...options })
const inputOf = (listing: ReturnType<typeof listed>, alias: string) => listing.prices.get(alias)?.price.rates.input

describe('a list of model prices', () => {
  test('gives each alias the price of its model, also where only one provider has it', () => {
    const found = listed()
    expect([...found.prices].map(([alias, { from }]) => [alias, from])).toEqual([
      ['acme/large', 'large-1'],
      ['acme/small', 'host/small-1'],
    ])
    expect(inputOf(found, 'acme/large')).toBe('2500000')
    expect(inputOf(found, 'acme/small')).toBe('150000')
  })

  test('gives an alias no price that it would have to guess', () => {
    expect([...listed().missing]).toEqual([
      ['acme/lost', 'the list has no entry lost-1'],
      ['acme/twice', 'the list has 2 entries for twice-1: name one with --entry, such as one/twice-1, other/twice-1'],
      ['acme/ranking', 'rank-1 is of kind rerank, whose prices cannot be imported'],
    ])
  })

  test('is read at the entry that is named', () => {
    const found = listed({ entries: new Map([['acme/twice', 'other/twice-1']]) })
    expect(found.prices.get('acme/twice')?.from).toBe('other/twice-1')
    expect(inputOf(found, 'acme/twice')).toBe('3000000')
  })

  test.each([[[]], [{ a: 1 }], ['text']])('%j is refused', (json) => {
    expect(() => liteLlmPrices(json, { providers: {}, entries: new Map(), times: ONE })).toThrow('not a list of models')
  })
})
