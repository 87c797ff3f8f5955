import { describe, expect, test } from 'vitest'
import type { UsageShape } from '../../../../capabilities/providers/usageShape.ts'
import type { AliasPrice } from '../../../../contracts/events/pricing.ts'
import { chargeOf } from '../../../../domain/pricing/charge.ts'
import type { Usage } from '../../../../domain/pricing/usage.ts'
import { readChatUsage } from './chatUsage.ts'
import { readMessagesUsage } from './messagesUsage.ts'
import { readResponsesUsage } from './responsesUsage.ts'
import { type ReportedUsage, usedAs } from './usageShape.ts'

/** Every kind has a rate of its own, so that a count of the wrong kind changes the charge. Micros for one token or unit. */
const RATES = {
  input: 10,
  cachedInput: 1,
  cacheWrite: 12,
  cacheWrite1h: 20,
  audioInput: 100,
  imageInput: 15,
  output: 50,
  reasoning: 60,
  audioOutput: 200,
  imageOutput: 300,
}
const PRICE: AliasPrice = {
  rates: perMillion(RATES) as AliasPrice['rates'],
  unitRates: perMillion({
    search: 25_000,
    'tool:web_search': 10_000,
    'tool:web_fetch': 1_000,
    'tool:code_interpreter': 30_000,
    'tool:image_generation': 40_000,
    'tool:file_search': 2_500,
  }),
  tierFactors: { flex: '500000', priority: '2000000', batch: '500000' },
}

function perMillion(rates: Record<string, number>): Record<string, string> {
  return Object.fromEntries(Object.entries(rates).map(([kind, rate]) => [kind, `${rate}000000`]))
}

type Golden = {
  readonly reported: unknown
  /** Counts by kind, as charged. */
  readonly counts: Readonly<Record<string, number>>
  readonly chargeMicros: number
}

function meant(shape: UsageShape | undefined, reported: ReportedUsage | null): Usage | null {
  return reported && usedAs(shape, reported)
}

/** Fails if a line of the charge is missing or new, or the charge is another. */
function expectGolden(usage: Usage | null, { counts, chargeMicros }: Golden): void {
  if (usage === null) throw new Error('the usage was not understood')
  const charge = chargeOf(PRICE, usage, 'auto')
  expect(Object.fromEntries(charge.lines.map(({ kind, count }) => [kind, count]))).toEqual(counts)
  expect(charge.amountMicros).toBe(BigInt(chargeMicros))
}

const chat: Record<string, Golden & { readonly shape?: UsageShape }> = {
  'OpenAI, plain': {
    reported: { usage: { prompt_tokens: 19, completion_tokens: 10, total_tokens: 29 } },
    counts: { input: 19, output: 10 },
    chargeMicros: 19 * 10 + 10 * 50,
  },
  'OpenAI, with cached input, reasoning and audio': {
    reported: {
      usage: {
        prompt_tokens: 2006,
        completion_tokens: 300,
        total_tokens: 2306,
        prompt_tokens_details: { cached_tokens: 1920, audio_tokens: 40 },
        completion_tokens_details: {
          reasoning_tokens: 192,
          audio_tokens: 50,
          accepted_prediction_tokens: 7,
          rejected_prediction_tokens: 11,
        },
      },
      service_tier: 'default',
    },
    counts: { input: 46, cachedInput: 1920, audioInput: 40, output: 58, reasoning: 192, audioOutput: 50 },
    chargeMicros: 46 * 10 + 1920 + 40 * 100 + 58 * 50 + 192 * 60 + 50 * 200,
  },
  'OpenAI, served at priority': {
    reported: { usage: { prompt_tokens: 100, completion_tokens: 10 }, service_tier: 'priority' },
    counts: { input: 100, output: 10 },
    chargeMicros: 2 * (100 * 10 + 10 * 50),
  },
  'OpenAI, served at flex': {
    reported: { usage: { prompt_tokens: 100, completion_tokens: 10 }, service_tier: 'flex' },
    counts: { input: 100, output: 10 },
    chargeMicros: (100 * 10 + 10 * 50) / 2,
  },
  'OpenAI, embeddings': {
    reported: { object: 'list', usage: { prompt_tokens: 8, total_tokens: 8 } },
    counts: { input: 8 },
    chargeMicros: 80,
  },
  'a reseller that reports cache writes': {
    reported: {
      usage: {
        prompt_tokens: 163,
        completion_tokens: 241,
        total_tokens: 404,
        prompt_tokens_details: { cached_tokens: 62, cache_write_tokens: 100, audio_tokens: 0, video_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 204, image_tokens: 0 },
      },
    },
    counts: { input: 1, cachedInput: 62, cacheWrite: 100, output: 37, reasoning: 204 },
    chargeMicros: 10 + 62 + 100 * 12 + 37 * 50 + 204 * 60,
  },
  'null details': {
    reported: {
      usage: {
        prompt_tokens: 5,
        completion_tokens: 2,
        prompt_tokens_details: null,
        completion_tokens_details: { reasoning_tokens: null },
      },
    },
    counts: { input: 5, output: 2 },
    chargeMicros: 150,
  },
  'details that exceed the input': {
    reported: {
      usage: {
        prompt_tokens: 100,
        completion_tokens: 0,
        prompt_tokens_details: { cached_tokens: 90, audio_tokens: 30 },
      },
    },
    counts: { cachedInput: 90, audioInput: 10 },
    chargeMicros: 90 + 10 * 100,
  },
  DeepSeek: {
    shape: 'deepseek',
    reported: {
      usage: {
        prompt_tokens: 1000,
        completion_tokens: 200,
        total_tokens: 1200,
        prompt_cache_hit_tokens: 640,
        prompt_cache_miss_tokens: 360,
        completion_tokens_details: { reasoning_tokens: 150 },
      },
    },
    counts: { input: 360, cachedInput: 640, output: 50, reasoning: 150 },
    chargeMicros: 360 * 10 + 640 + 50 * 50 + 150 * 60,
  },
  'DeepSeek, with both counts of cached input': {
    shape: 'deepseek',
    reported: {
      usage: {
        prompt_tokens: 16,
        completion_tokens: 10,
        total_tokens: 26,
        prompt_tokens_details: { cached_tokens: 12 },
        prompt_cache_hit_tokens: 12,
        prompt_cache_miss_tokens: 4,
      },
    },
    counts: { input: 4, cachedInput: 12, output: 10 },
    chargeMicros: 4 * 10 + 12 + 10 * 50,
  },
  'xAI, with reasoning outside the output': {
    shape: 'xai',
    reported: {
      usage: {
        prompt_tokens: 32,
        completion_tokens: 9,
        total_tokens: 135,
        prompt_tokens_details: { text_tokens: 32, audio_tokens: 0, image_tokens: 0, cached_tokens: 6 },
        completion_tokens_details: {
          reasoning_tokens: 94,
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
        num_sources_used: 0,
      },
    },
    counts: { input: 26, cachedInput: 6, output: 9, reasoning: 94 },
    chargeMicros: 26 * 10 + 6 + 9 * 50 + 94 * 60,
  },
  'xAI, with reasoning inside the output': {
    shape: 'xai',
    reported: {
      usage: {
        prompt_tokens: 686,
        completion_tokens: 123,
        total_tokens: 809,
        prompt_tokens_details: { cached_tokens: 679, text_tokens: 686 },
        completion_tokens_details: { text_tokens: 11, reasoning_tokens: 112 },
      },
    },
    counts: { input: 7, cachedInput: 679, output: 11, reasoning: 112 },
    chargeMicros: 7 * 10 + 679 + 11 * 50 + 112 * 60,
  },
  'xAI, without a total': {
    shape: 'xai',
    reported: {
      usage: { prompt_tokens: 10, completion_tokens: 3, completion_tokens_details: { reasoning_tokens: 20 } },
    },
    counts: { input: 10, output: 3, reasoning: 20 },
    chargeMicros: 10 * 10 + 3 * 50 + 20 * 60,
  },
  'xAI, with an image and a live search': {
    shape: 'xai',
    reported: {
      usage: {
        prompt_tokens: 1800,
        completion_tokens: 100,
        total_tokens: 1900,
        prompt_tokens_details: { text_tokens: 200, image_tokens: 1600, cached_tokens: 0 },
        num_sources_used: 4,
      },
    },
    counts: { input: 200, imageInput: 1600, output: 100, search: 4 },
    chargeMicros: 200 * 10 + 1600 * 15 + 100 * 50 + 4 * 25_000,
  },
  'Gemini, with thoughts in the total only': {
    shape: 'gemini',
    reported: { usage: { prompt_tokens: 21, completion_tokens: 5, total_tokens: 86 } },
    counts: { input: 21, output: 5, reasoning: 60 },
    chargeMicros: 21 * 10 + 5 * 50 + 60 * 60,
  },
  'Gemini, with thoughts and no text': {
    shape: 'gemini',
    reported: {
      usage: {
        prompt_tokens: 21,
        completion_tokens: 0,
        total_tokens: 81,
        completion_tokens_details: { reasoning_tokens: 60 },
      },
    },
    counts: { input: 21, reasoning: 60 },
    chargeMicros: 21 * 10 + 60 * 60,
  },
  'Gemini, with a total that leaves out some output': {
    shape: 'gemini',
    reported: { usage: { prompt_tokens: 21, completion_tokens: 5, total_tokens: 22 } },
    counts: { input: 21, output: 5 },
    chargeMicros: 21 * 10 + 5 * 50,
  },
}

const responses: Record<string, Golden & { readonly shape?: UsageShape }> = {
  'OpenAI, with cached input and reasoning': {
    reported: {
      status: 'completed',
      service_tier: 'default',
      output: [{ type: 'reasoning' }, { type: 'message' }],
      usage: {
        input_tokens: 81,
        input_tokens_details: { cached_tokens: 64 },
        output_tokens: 1035,
        output_tokens_details: { reasoning_tokens: 832 },
        total_tokens: 1116,
      },
    },
    counts: { input: 17, cachedInput: 64, output: 203, reasoning: 832 },
    chargeMicros: 17 * 10 + 64 + 203 * 50 + 832 * 60,
  },
  'OpenAI, with hosted tools': {
    reported: {
      output: [
        { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'q' } },
        { type: 'web_search_call', status: 'completed', action: { type: 'open_page', url: 'u' } },
        { type: 'web_search_call', status: 'failed', action: { type: 'search', query: 'q' } },
        { type: 'web_search_call', status: 'completed' },
        { type: 'file_search_call', status: 'completed' },
        { type: 'code_interpreter_call', status: 'completed' },
        { type: 'image_generation_call', status: 'completed' },
        { type: 'function_call', name: 'mine' },
        { type: 'custom_tool_call', name: 'mine' },
        { type: 'computer_call', status: 'completed', action: { type: 'click' } },
        { type: 'message' },
      ],
      usage: { input_tokens: 10, output_tokens: 1 },
    },
    counts: {
      input: 10,
      output: 1,
      'tool:web_search': 2,
      'tool:file_search': 1,
      'tool:code_interpreter': 1,
      'tool:image_generation': 1,
    },
    chargeMicros: 100 + 50 + 2 * 10_000 + 2_500 + 30_000 + 40_000,
  },
  'OpenAI, served at flex': {
    reported: { service_tier: 'flex', usage: { input_tokens: 100, output_tokens: 10 } },
    counts: { input: 100, output: 10 },
    chargeMicros: (100 * 10 + 10 * 50) / 2,
  },
  'xAI, with reasoning outside the output': {
    shape: 'xai',
    reported: {
      usage: {
        input_tokens: 32,
        output_tokens: 9,
        output_tokens_details: { reasoning_tokens: 110 },
        total_tokens: 151,
      },
    },
    counts: { input: 32, output: 9, reasoning: 110 },
    chargeMicros: 32 * 10 + 9 * 50 + 110 * 60,
  },
}

const messages: Record<string, Golden> = {
  'Anthropic, plain': {
    reported: { usage: { input_tokens: 2095, output_tokens: 503 } },
    counts: { input: 2095, output: 503 },
    chargeMicros: 2095 * 10 + 503 * 50,
  },
  'Anthropic, with caches of five minutes and one hour': {
    reported: {
      usage: {
        input_tokens: 2048,
        cache_read_input_tokens: 1800,
        cache_creation_input_tokens: 248,
        cache_creation: { ephemeral_5m_input_tokens: 148, ephemeral_1h_input_tokens: 100 },
        output_tokens: 503,
        service_tier: 'standard',
      },
    },
    counts: { input: 2048, cachedInput: 1800, cacheWrite: 148, cacheWrite1h: 100, output: 503 },
    chargeMicros: 2048 * 10 + 1800 + 148 * 12 + 100 * 20 + 503 * 50,
  },
  'Anthropic, with cache writes of unnamed length': {
    reported: {
      usage: { input_tokens: 1, cache_creation_input_tokens: 50, cache_creation: null, output_tokens: 2 },
    },
    counts: { input: 1, cacheWrite: 50, output: 2 },
    chargeMicros: 10 + 50 * 12 + 2 * 50,
  },
  'Anthropic, with tools that it runs': {
    reported: {
      usage: {
        input_tokens: 105,
        output_tokens: 6039,
        cache_read_input_tokens: 7123,
        cache_creation_input_tokens: 7345,
        server_tool_use: { web_search_requests: 1, web_fetch_requests: 2 },
      },
    },
    counts: {
      input: 105,
      cachedInput: 7123,
      cacheWrite: 7345,
      output: 6039,
      'tool:web_search': 1,
      'tool:web_fetch': 2,
    },
    chargeMicros: 105 * 10 + 7123 + 7345 * 12 + 6039 * 50 + 10_000 + 2 * 1_000,
  },
  'Anthropic, with a compaction beside the message': {
    reported: {
      usage: {
        input_tokens: 23_000,
        output_tokens: 1_000,
        iterations: [
          { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
          { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
        ],
      },
    },
    counts: { input: 203_000, output: 4_500 },
    chargeMicros: 203_000 * 10 + 4_500 * 50,
  },
  'Anthropic, with thinking, served from a batch': {
    reported: {
      usage: {
        input_tokens: 100,
        output_tokens: 40,
        output_tokens_details: { thinking_tokens: 30 },
        service_tier: 'batch',
      },
    },
    counts: { input: 100, output: 10, reasoning: 30 },
    chargeMicros: (100 * 10 + 10 * 50 + 30 * 60) / 2,
  },
}

describe('each documented usage block has its charge', () => {
  test.each(Object.entries(chat))('chat completions: %s', (_, golden) => {
    expectGolden(meant(golden.shape, readChatUsage(golden.reported)), golden)
  })

  test.each(Object.entries(responses))('Responses: %s', (_, golden) => {
    expectGolden(meant(golden.shape, readResponsesUsage(golden.reported)), golden)
  })

  test.each(Object.entries(messages))('Messages: %s', (_, golden) => {
    expectGolden(meant(undefined, readMessagesUsage(golden.reported)), golden)
  })
})

describe('a block that no charge can be based on is not understood', () => {
  test.each([
    ['no usage', {}],
    ['a null usage', { usage: null }],
    ['text for a number', { usage: { prompt_tokens: '5', completion_tokens: 1 } }],
    ['a negative number', { usage: { prompt_tokens: -1, completion_tokens: 1 } }],
    ['a fraction', { usage: { prompt_tokens: 1.5, completion_tokens: 1 } }],
    ['a number that is not exact', { usage: { prompt_tokens: 2 ** 53, completion_tokens: 1 } }],
  ])('chat completions: %s', (_, answer) => {
    expect(readChatUsage(answer)).toBeNull()
  })

  test.each([
    ['cached tokens that are no number', { input_tokens: 5, output_tokens: 1, cache_read_input_tokens: 'many' }],
    [
      'more written for an hour than written',
      { input_tokens: 5, output_tokens: 1, cache_creation: { ephemeral_1h_input_tokens: 3 } },
    ],
    ['an iteration without counts', { input_tokens: 5, output_tokens: 1, iterations: [{ type: 'compaction' }] }],
    ['a sum that is not exact', { input_tokens: 2 ** 53 - 1, output_tokens: 1, cache_read_input_tokens: 1 }],
  ])('Messages: %s', (_, usage) => {
    expect(readMessagesUsage({ usage })).toBeNull()
  })
})
