import { describe, expect, test } from 'vitest'
import { requirePrice } from '../../domain/pricing/priceRules.ts'
import { decimalOf } from './decimal.ts'
import { parseExactly } from './exactJson.ts'
import type { LeftOut } from './importedPrice.ts'
import type { ListEntry } from './liteLlmAmounts.ts'
import { liteLlmPrice } from './liteLlmPrice.ts'

const CHAT = { mode: 'chat', input_cost_per_token: 2e-6, output_cost_per_token: 1e-5 }

function imported(fields: object, times = '1') {
  const entry = parseExactly(JSON.stringify(fields)) as ListEntry
  const found = liteLlmPrice('model-1', entry, decimalOf(times, '--times'))
  if (!('price' in found)) throw new Error(found.missing)
  requirePrice('model-1', found.price)
  return found
}

function refused(fields: object): string {
  const found = liteLlmPrice('model-1', parseExactly(JSON.stringify(fields)) as ListEntry, decimalOf('1', 'it'))
  return 'missing' in found ? found.missing : 'imported'
}

const fieldsLeft = (left: readonly LeftOut[]) => left.map(({ field }) => field)

describe("the price of an entry of LiteLLM's list", () => {
  test('has a rate for each kind of tokens, and the fee of a call', () => {
    const entry = {
      ...{ ...CHAT, max_tokens: 8_000, litellm_provider: 'vendor', input_cost_per_request: 0.002 },
      ...{ cache_read_input_token_cost: 2e-7, cache_creation_input_token_cost: 2.5e-6 },
      ...{ cache_creation_input_token_cost_above_1hr: 4e-6, input_cost_per_audio_token: 4e-5 },
      ...{ input_cost_per_image_token: 3e-6, output_cost_per_reasoning_token: 1.2e-5 },
      ...{ output_cost_per_audio_token: 8e-5, output_cost_per_image_token: 3e-5 },
    }
    expect(imported(entry)).toEqual({
      from: 'model-1',
      price: {
        rates: {
          ...{ input: '2000000', cachedInput: '200000', cacheWrite: '2500000', cacheWrite1h: '4000000' },
          ...{ audioInput: '40000000', imageInput: '3000000', output: '10000000', reasoning: '12000000' },
          ...{ audioOutput: '80000000', imageOutput: '30000000' },
        },
        callMicros: '2000',
      },
      left: [],
    })
  })

  test('is multiplied, except for the factors of service tiers and the sizes of input', () => {
    const entry = {
      ...{ ...CHAT, output_cost_per_image: 0.04, input_cost_per_request: 0.002 },
      ...{ input_cost_per_token_priority: 4e-6, output_cost_per_token_priority: 2e-5 },
    }
    expect(imported(entry, '1.2').price).toEqual({
      rates: { input: '2400000', output: '12000000' },
      unitRates: { image: '48000000000' },
      tierFactors: { priority: '2000000' },
      callMicros: '2400',
    })
    expect(imported({ ...CHAT, input_cost_per_token_above_200k_tokens: 3e-6 }, '1.2').price.inputTiers).toEqual([
      { tokens: 200_000, inclusive: false, rates: { input: '3600000', output: '12000000' } },
    ])
  })

  test('leaves out zero, so that a kind of tokens costs what its parent kind does', () => {
    const entry = { ...CHAT, input_cost_per_audio_token: 0, cache_creation_input_token_cost: 0.0, ocr_cost_per_page: 0 }
    expect(imported(entry)).toMatchObject({ price: { rates: { input: '2000000', output: '10000000' } }, left: [] })
    expect(Object.keys(imported(entry).price.rates)).toEqual(['input', 'output'])
  })

  test('needs no rate of output for embeddings', () => {
    expect(imported({ mode: 'embedding', input_cost_per_token: 2e-8 }).price.rates).toEqual({
      ...{ input: '20000', output: '0' },
    })
  })

  test.each([
    ['model-1 has no input_cost_per_token above zero', { mode: 'chat', output_cost_per_token: 1e-6 }],
    ['model-1 has no input_cost_per_token above zero', { ...CHAT, input_cost_per_token: 0 }],
    ['model-1 has no output_cost_per_token above zero', { ...CHAT, output_cost_per_token: 0 }],
    ['model-1 is of kind rerank, whose prices cannot be imported', { ...CHAT, mode: 'rerank' }],
    [
      'model-1 has no input_cost_per_token above zero, and what it has cannot be imported: tiered_pricing',
      { mode: 'chat', tiered_pricing: [{ range: [0, 1_000], input_cost_per_token: 1e-6 }] },
    ],
  ])('%s', (message, entry) => {
    expect(refused(entry)).toBe(message)
  })

  test('names the fields about money that are no rate of ours', () => {
    const entry = {
      ...{ ...CHAT, citation_cost_per_token: 2e-6, regional_processing_uplift_multiplier_eu: 1.1 },
      ...{ provider_specific_entry: { fast: 6 }, input_cost_per_token_batches: 1e-6, input_cost_per_second: 0.01 },
    }
    expect(imported(entry).left).toEqual([
      { field: 'citation_cost_per_token', reason: 'there is no such rate' },
      { field: 'input_cost_per_second', reason: 'there is no such rate' },
      { field: 'input_cost_per_token_batches', reason: 'there is no such rate' },
      { field: 'provider_specific_entry', reason: 'it is not a number' },
      { field: 'regional_processing_uplift_multiplier_eu', reason: 'there is no such rate' },
    ])
  })

  test('does not name a field that repeats the price of another one', () => {
    const cached = { ...CHAT, cache_read_input_token_cost: 2e-7 }
    expect(imported({ ...cached, input_cost_per_token_cache_hit: 2e-7 }).left).toEqual([])
    expect(fieldsLeft(imported({ ...cached, input_cost_per_token_cache_hit: 3e-7 }).left)).toEqual([
      'input_cost_per_token_cache_hit',
    ])
  })
})

describe('tiers by the size of the input', () => {
  test('are complete, by rising size, and begin above it', () => {
    const entry = {
      ...{ ...CHAT, cache_read_input_token_cost: 2e-7, cache_creation_input_token_cost_above_1hr: 4e-6 },
      ...{ input_cost_per_token_above_1000k_tokens: 6e-6, input_cost_per_token_above_200k_tokens: 4e-6 },
      ...{ output_cost_per_token_above_200k_tokens: 1.5e-5, cache_read_input_token_cost_above_200k_tokens: 4e-7 },
      cache_creation_input_token_cost_above_1hr_above_200k_tokens: 8e-6,
    }
    expect(imported(entry)).toMatchObject({ left: [] })
    expect(imported(entry).price.inputTiers).toEqual([
      {
        ...{ tokens: 200_000, inclusive: false },
        rates: { input: '4000000', cachedInput: '400000', cacheWrite1h: '8000000', output: '15000000' },
      },
      {
        ...{ tokens: 1_000_000, inclusive: false },
        rates: { input: '6000000', cachedInput: '200000', cacheWrite1h: '4000000', output: '10000000' },
      },
    ])
  })

  test('that do not say what plain input costs are left out', () => {
    const { price, left } = imported({ ...CHAT, output_cost_per_token_above_128k_tokens: 2e-5 })
    expect(price.inputTiers).toBeUndefined()
    expect(left).toEqual([
      {
        field: 'output_cost_per_token_above_128k_tokens',
        reason: 'the list has no rate of plain input above 128000 tokens',
      },
    ])
  })
})

describe('the factor of a service tier', () => {
  const above = { input_cost_per_token_above_200k_tokens: 4e-6, output_cost_per_token_above_200k_tokens: 1.5e-5 }
  const flex = { input_cost_per_token_flex: 1e-6, output_cost_per_token_flex: 5e-6 }

  test('is the multiple that all of its rates are of the usual ones', () => {
    const priority = { input_cost_per_token_priority: 3.6e-6, output_cost_per_token_priority: 1.8e-5 }
    const larger = {
      ...{ input_cost_per_token_above_200k_tokens_priority: 7.2e-6 },
      ...{ output_cost_per_token_above_200k_tokens_priority: 2.7e-5 },
    }
    const { price, left } = imported({ ...CHAT, ...above, ...priority, ...larger })
    expect({ factors: price.tierFactors, left }).toEqual({ factors: { priority: '1800000' }, left: [] })
    expect(imported({ ...CHAT, ...flex }).price.tierFactors).toEqual({ flex: '500000' })
  })

  test('is not disturbed by what doubles add to prices', () => {
    const entry = { ...CHAT, input_cost_per_token: 1.5000000000000002e-7, input_cost_per_token_flex: 7.5e-8 }
    expect(imported({ ...entry, output_cost_per_token_flex: 5e-6 }).price.tierFactors).toEqual({ flex: '500000' })
  })

  test.each([
    ['the rates are not all the same multiple', { ...CHAT, ...flex, input_cost_per_token_flex: 1.1e-6 }],
    [
      'the rates are not all the same multiple',
      { ...CHAT, ...flex, input_cost_per_token: 3e-6, output_cost_per_token: 1.5e-5 },
    ],
    ['the rates are not all the same multiple', { ...CHAT, ...flex, cache_read_input_token_cost_flex: 1e-7 }],
    ['cache_read_input_token_cost has no rate', { ...CHAT, ...flex, cache_read_input_token_cost: 2e-7 }],
    ['input_cost_per_token_above_200k_tokens has no rate', { ...CHAT, ...flex, ...above }],
    ['output_cost_per_reasoning_token has no rate', { ...CHAT, ...flex, output_cost_per_reasoning_token: 2e-5 }],
  ])('is left out if it is not exact or not known for every rate: %s', (reason, entry) => {
    const { price, left } = imported(entry)
    expect(price.tierFactors).toBeUndefined()
    expect(fieldsLeft(left)).toEqual(expect.arrayContaining(Object.keys(flex)))
    for (const each of left) expect(each.reason).toMatch(new RegExp(`^${reason}.* at the tier flex$`))
  })

  test('needs no rate for reasoning that costs as much as other output', () => {
    const { price } = imported({ ...CHAT, ...flex, output_cost_per_reasoning_token: 1e-5 })
    expect(price.tierFactors).toEqual({ flex: '500000' })
  })
})

describe('fees of units', () => {
  const sizes = (low: number, high: number) => ({
    search_context_cost_per_query: { search_context_size_low: low, search_context_size_high: high },
  })

  test('are those of images, seconds of audio and calls of tools', () => {
    const entry = {
      ...{ ...CHAT, output_cost_per_image: 0.04, input_cost_per_audio_per_second: 0.00016 },
      ...{ file_search_cost_per_1k_calls: 2.5, ...sizes(0.01, 0.01) },
    }
    expect(imported(entry)).toMatchObject({
      left: [],
      price: {
        unitRates: {
          ...{ image: '40000000000', audioSecond: '160000000' },
          ...{ 'tool:file_search': '2500000000', 'tool:web_search': '10000000000' },
        },
      },
    })
  })

  test('are left out if the same is charged by tokens', () => {
    const entry = { ...CHAT, output_cost_per_image: 0.04, output_cost_per_image_token: 3e-5 }
    expect(imported(entry).price.unitRates).toBeUndefined()
    expect(imported(entry).left).toEqual([
      { field: 'output_cost_per_image', reason: 'output_cost_per_image_token is used instead' },
    ])
  })

  test.each([
    ['it depends on the size of the search', sizes(0.01, 0.02)],
    ['it is for a prompt, not for a search', { ...sizes(0.01, 0.01), litellm_provider: 'gemini' }],
  ])('of searches are left out if %s', (reason, fields) => {
    const { price, left } = imported({ ...CHAT, ...fields })
    expect(price.unitRates).toBeUndefined()
    expect(left).toEqual([{ field: 'search_context_cost_per_query', reason }])
  })

  test('of searches are imported from Google if they are for each query', () => {
    const google = { litellm_provider: 'vertex_ai-language-models', web_search_billing_unit: 'per_query' }
    expect(imported({ ...CHAT, ...sizes(0.014, 0.014), ...google }).price.unitRates).toEqual({
      'tool:web_search': '14000000000',
    })
  })

  test.each([
    [{ mode: 'audio_transcription', input_cost_per_second: 0.0001, output_cost_per_second: 0.0001 }, 'audioSecond'],
    [{ mode: 'audio_speech', input_cost_per_character: 0.0001 }, 'character'],
    [{ mode: 'image_generation', output_cost_per_image: 0.0001 }, 'image'],
  ])('alone are a price, with tokens that cost nothing: %j', (entry, unit) => {
    expect(imported(entry)).toMatchObject({
      left: [],
      price: { rates: { input: '0', output: '0' }, unitRates: { [unit]: '100000000' } },
    })
  })

  test.each([
    { mode: 'chat', output_cost_per_image: 0.04 },
    { mode: 'image_generation', input_cost_per_token: 1e-6, output_cost_per_image: 0.04 },
    { mode: 'image_generation' },
  ])('do not make up for rates of tokens that are missing: %j', (entry) => {
    expect(refused(entry)).toMatch(/has no (input|output)_cost_per_token above zero/)
  })
})
