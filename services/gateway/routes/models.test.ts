import { describe, expect, test } from 'vitest'
import { keyRouteCases, useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'

const ALL_WIRES = ['chat', 'completions', 'embeddings', 'responses', 'messages'] as const

const used = useGateway({
  catalogue: ({ 'svc/chat-default': entry }) =>
    entry
      ? {
          'acme/fast:v1': {
            ...entry,
            contextLength: 128_000,
            maxOutputTokens: 9_000,
            providers: [entry.providers[0], { ...entry.providers[0], wires: ['messages', 'responses'] }],
          },
          'svc/chat-default': entry,
          unpriced: entry,
        }
      : {},
  prices: {
    'svc/chat-default': { rates: { input: '500000000', output: '0' } },
    'acme/fast:v1': {
      rates: {
        ...{ input: '2500000', cachedInput: '250000', cacheWrite: '3000001', cacheWrite1h: '5000000' },
        ...{ output: '10000000', reasoning: '12000000' },
      },
      inputTiers: [{ tokens: 200_000, inclusive: false, rates: { input: '5000000', output: '15000000' } }],
      unitRates: { 'tool:web_search': '10000000000' },
      tierFactors: { priority: '2500000' },
      callMicros: '7',
    },
    unrouted: { rates: { input: '1', output: '1' } },
  },
})

const NO_RATES = {
  ...{ cached_input: null, cache_write: null, cache_write_1h: null, audio_input: null, image_input: null },
  ...{ reasoning: null, audio_output: null, image_output: null },
}
const PLAIN = {
  ...{ id: 'svc/chat-default', object: 'model', created: 1_767_225_600, owned_by: 'svc' },
  ...{
    context_length: null,
    max_output_tokens: 4_096,
    wires: ['chat', 'completions', 'embeddings', 'responses', 'messages'],
  },
  pricing: {
    ...{ ...NO_RATES, input: 500, output: 0, per_call: null },
    ...{ input_tiers: [], units: {}, service_tiers: {} },
  },
}
const DETAILED = {
  ...PLAIN,
  ...{ id: 'acme/fast:v1', context_length: 128_000, max_output_tokens: 9_000, wires: ALL_WIRES },
  pricing: {
    ...{ ...NO_RATES, input: 2.5, cached_input: 0.25, cache_write: 3.000001, cache_write_1h: 5 },
    ...{ output: 10, reasoning: 12, per_call: 0.000007 },
    input_tiers: [{ ...NO_RATES, tokens: 200_000, inclusive: false, input: 5, output: 15 }],
    ...{ units: { 'tool:web_search': 0.01 }, service_tiers: { priority: 2.5 } },
  },
}

describe('GET /models', () => {
  test('200: the aliases with a provider and a price, with their sizes, APIs and prices', async () => {
    const { status, json } = await used.gateway.call('/models', { key: used.key })
    expect(status).toBe(200)
    expect(json).toEqual({ object: 'list', data: [DETAILED, PLAIN] })
  })

  test('200: only those that the key may call', async () => {
    const key = used.gateway.mintKey({ models: ['svc/chat-default', 'unpriced', 'unrouted', 'unknown'] })
    expect((await used.gateway.call('/models', { key })).json.data).toEqual([PLAIN])
  })

  keyRouteCases(used, { method: 'GET', path: '/models', scope: 'inference:chat' })
})

describe('GET /models/{id}', () => {
  test.each(['acme/fast:v1', 'acme%2Ffast:v1', 'acme%2ffast%3Av1'])('200 for %s', async (id) => {
    const { status, json } = await used.gateway.call(`/models/${id}`, { key: used.key })
    expect(status).toBe(200)
    expect(json).toEqual(DETAILED)
  })

  test.each(['unpriced', 'unrouted', 'other', 'constructor', 'acme', 'acme//fast:v1', 'acme/fast:v1/', 'Acme/fast:v1'])(
    '404 for %s',
    async (id) => {
      const { status, json } = await used.gateway.call(`/models/${id}`, { key: used.key })
      expect({ status, type: json.error.type }).toEqual({ status: 404, type: 'not_found_error' })
    },
  )

  test('404 for a model that the key may not call', async () => {
    const key = used.gateway.mintKey({ models: ['svc/chat-default'] })
    expect((await used.gateway.call('/models/acme/fast:v1', { key })).status).toBe(404)
    expect((await used.gateway.call('/models/svc/chat-default', { key })).status).toBe(200)
  })

  test('400 for a path that cannot be decoded', async () => {
    expect((await used.gateway.call('/models/%E0%A4%A', { key: used.key })).status).toBe(400)
  })

  keyRouteCases(used, { method: 'GET', path: '/models/svc/chat-default', scope: 'inference:chat' })
})
