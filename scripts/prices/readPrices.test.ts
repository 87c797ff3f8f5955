import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { decimalOf } from './decimal.ts'
import { liteLlmPrices } from './liteLlmList.ts'
import { draftOf, draftText } from './priceDraft.ts'
import { csvPrices } from './pricesCsv.ts'
import { readPrices } from './readPrices.ts'

const ONE = decimalOf('1', '--times')
const provider = (model: string) => ({ providers: [{ model }] })
const PROVIDERS = {
  'acme/large': provider('large-1'),
  'acme/small': provider('small-1'),
  'acme/embed': provider('embed-1'),
  'acme/lost': provider('lost-1'),
  'acme/twice': provider('twice-1'),
  'acme/picture': provider('picture-1'),
} as unknown as Parameters<typeof liteLlmPrices>[1]['providers']
const LIST = {
  'large-1': {
    ...{ mode: 'chat', max_tokens: 8_000, input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 },
    ...{ cache_read_input_token_cost: 1.25e-6, cache_creation_input_token_cost: 3e-6, input_cost_per_request: 0.002 },
    ...{ output_cost_per_reasoning_token: 2e-5, input_cost_per_audio_token: 0 },
    search_context_cost_per_query: { search_context_size_low: 0.03 },
  },
  'host/small-1': { mode: 'responses', input_cost_per_token: 1.5000000000000002e-7, output_cost_per_token: 6e-7 },
  'embed-1': { mode: 'embedding', input_cost_per_token: 2e-8 },
  'one/twice-1': { mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
  'other/twice-1': { mode: 'chat', input_cost_per_token: 3e-6, output_cost_per_token: 4e-6 },
  'picture-1': { mode: 'image_generation', input_cost_per_token: 1e-6, output_cost_per_image: 0.04 },
}
const listed = (options: Partial<Parameters<typeof liteLlmPrices>[1]> = {}) =>
  liteLlmPrices(LIST, { providers: PROVIDERS, entries: new Map(), times: ONE, ...options })

describe('a list of model prices', () => {
  test('gives each alias the price of its model, and names what has no rate', () => {
    const { prices } = listed()
    expect(prices.get('acme/large')).toEqual({
      from: 'large-1',
      price: {
        inputMicrosPerMillionTokens: '2500000',
        outputMicrosPerMillionTokens: '10000000',
        cachedInputMicrosPerMillionTokens: '1250000',
        cacheWriteMicrosPerMillionTokens: '3000000',
        perCallMicros: '2000',
      },
      left: ['output_cost_per_reasoning_token', 'search_context_cost_per_query'],
    })
    expect(prices.get('acme/small')).toMatchObject({
      from: 'host/small-1',
      price: { inputMicrosPerMillionTokens: '150000' },
    })
    expect(prices.get('acme/embed')).toMatchObject({
      price: { inputMicrosPerMillionTokens: '20000', outputMicrosPerMillionTokens: '0' },
    })
  })

  test('gives an alias no price that it would have to guess', () => {
    const { prices, missing } = listed()
    expect([...missing]).toEqual([
      ['acme/lost', 'the list has no entry lost-1'],
      ['acme/twice', 'the list has 2 entries for twice-1: name one with --entry, such as one/twice-1, other/twice-1'],
      ['acme/picture', 'picture-1 is of kind "image_generation", which has no price by tokens'],
    ])
    expect([...prices.keys()]).toEqual(['acme/large', 'acme/small', 'acme/embed'])
  })

  test('is read at the entry that is named', () => {
    const { prices } = listed({ entries: new Map([['acme/twice', 'other/twice-1']]) })
    expect(prices.get('acme/twice')).toMatchObject({
      from: 'other/twice-1',
      price: { inputMicrosPerMillionTokens: '3000000' },
    })
  })

  test('is multiplied', () => {
    const price = listed({ times: decimalOf('1.2', '--times') }).prices.get('acme/large')?.price
    expect(price).toMatchObject({ inputMicrosPerMillionTokens: '3000000', perCallMicros: '2400' })
  })

  test.each([[[]], [{ a: 1 }], ['text']])('%j is refused', (json) => {
    expect(() => liteLlmPrices(json, { providers: {}, entries: new Map(), times: ONE })).toThrow('not a list of models')
  })
})

describe('a table of prices', () => {
  test('is read by its columns', () => {
    const { prices } = csvPrices(
      '\uFEFFalias,output,input,per_call\r\nacme/large, 10 ,2.5,\r\nacme/small,1,0.1,0.01\n\n',
      ONE,
    )
    expect([...prices.values()].map(({ price }) => price)).toEqual([
      { inputMicrosPerMillionTokens: '2500000', outputMicrosPerMillionTokens: '10000000' },
      { inputMicrosPerMillionTokens: '100000', outputMicrosPerMillionTokens: '1000000', perCallMicros: '10000' },
    ])
  })

  test.each([
    ['alias,input\na,1', 'no column output'],
    ['alias,input,output,reasoning\na,1,2,3', 'unknown columns reasoning'],
    ['alias,input,output\na,1', 'line 2 has 2 fields instead of 3'],
    ['alias,input,output\na,1,2\na,1,3', 'line 3 names a a second time'],
    ['alias,input,output\na,,2', 'line 2 needs both input and output'],
    ['alias,input,output\na,-1,2', 'line 2, input'],
    ['alias,input,output\n"a",1,2', 'quotes'],
    ['', 'no column alias, input, output'],
  ])('%j is refused', (text, message) => {
    expect(() => csvPrices(text, ONE)).toThrow(message)
  })
})

describe('the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-prices-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'prices')
  const table = 'alias,input,output\nacme/large,1,2\n'

  test('that is not there is refused', async () => {
    await expect(readPrices(join(folder, 'other'), {})).rejects.toThrow('cannot be read')
  })

  test.each([
    ['{"a":', {}, 'is not JSON'],
    [table, { times: '0' }, '--times must be more than zero'],
    [table, { times: 'a fifth' }, '--times'],
    [table, { entry: ['a=b'] }, '--entry is for a list'],
    ['{}', { entry: ['a'] }, '--entry a: it takes'],
  ])('%j with %j is refused', async (text, options, message) => {
    writeFileSync(file, text)
    await expect(readPrices(file, options)).rejects.toThrow(message)
  })
})

test('a draft shows what changes, what stays and what has no price', () => {
  const current = new Map([
    [
      'acme/large',
      { inputMicrosPerMillionTokens: '2000000', outputMicrosPerMillionTokens: '10000000', perCallMicros: '1' },
    ],
    ['acme/embed', { inputMicrosPerMillionTokens: '20000', outputMicrosPerMillionTokens: '0' }],
  ])
  const draft = draftOf(listed(), current)
  expect(draft.changed.map(({ alias }) => alias)).toEqual(['acme/large', 'acme/small'])
  expect(draftText(draft)).toBe(`acme/large, from large-1
  input        2 → 2.5
  cached input none → 1.25
  cache write  none → 3
  per call     0.000001 → 0.002
  not imported, because there is no such rate: output_cost_per_reasoning_token, search_context_cost_per_query
acme/small, from host/small-1
  input        none → 0.15
  output       none → 0.6
unchanged: acme/embed
acme/lost: no price, the list has no entry lost-1
acme/twice: no price, the list has 2 entries for twice-1: name one with --entry, such as one/twice-1, other/twice-1
acme/picture: no price, picture-1 is of kind "image_generation", which has no price by tokens
`)
})
