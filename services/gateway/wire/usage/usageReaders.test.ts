import { describe, expect, it } from 'vitest'
import { cachedTokens } from '../../../../domain/pricing/usage.ts'
import { readChatUsage } from './chatUsage.ts'
import { readMessagesUsage } from './messagesUsage.ts'
import { readResponsesUsage } from './responsesUsage.ts'
import { type ReportedUsage, usedAs } from './usageShape.ts'

/** The tokens that a call is charged for. */
function tokensOf(reported: ReportedUsage | null) {
  const used = reported && usedAs(undefined, reported)
  return used && { tokensIn: used.tokensIn, tokensOut: used.tokensOut, ...cachedTokens(used) }
}
const chatTokens = (answer: unknown) => tokensOf(readChatUsage(answer))
const responsesTokens = (answer: unknown) => tokensOf(readResponsesUsage(answer))
const messagesTokens = (answer: unknown) => tokensOf(readMessagesUsage(answer))

/** Usage blocks as the providers of each API send them, with fields that Tollgate does not read. */
const CHAT = {
  usage: {
    ...{ prompt_tokens: 2006, completion_tokens: 300, total_tokens: 2306 },
    prompt_tokens_details: { cached_tokens: 1920, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 64, audio_tokens: 0, accepted_prediction_tokens: 0 },
  },
}
const RESPONSES = {
  usage: {
    ...{ input_tokens: 2006, output_tokens: 300, total_tokens: 2306 },
    input_tokens_details: { cached_tokens: 1920 },
    output_tokens_details: { reasoning_tokens: 64 },
  },
}
const MESSAGES = {
  usage: {
    ...{ input_tokens: 21, cache_creation_input_tokens: 188, cache_read_input_tokens: 1797, output_tokens: 300 },
    cache_creation: { ephemeral_5m_input_tokens: 188, ephemeral_1h_input_tokens: 0 },
    service_tier: 'standard',
  },
}

describe('the usage of each API', () => {
  it('counts all input once, with cached input and cache writes as parts of it', () => {
    expect(chatTokens(CHAT)).toEqual({ tokensIn: 2006, tokensOut: 300, tokensCached: 1920, tokensCacheWrite: null })
    expect(responsesTokens(RESPONSES)).toEqual(chatTokens(CHAT))
    expect(messagesTokens(MESSAGES)).toEqual({
      ...{ tokensIn: 2006, tokensOut: 300, tokensCached: 1797, tokensCacheWrite: 188 },
    })
  })

  it('is not found in the block of another API', () => {
    expect(chatTokens(RESPONSES)).toBeNull()
    expect(chatTokens(MESSAGES)).toBeNull()
    expect(responsesTokens(CHAT)).toBeNull()
    expect(messagesTokens(CHAT)).toBeNull()
  })
})

const reads = (tokensIn: number, tokensOut: number) => ({
  ...{ tokensIn, tokensOut, tokensCached: null, tokensCacheWrite: null },
})

describe.each([
  ['readChatUsage', chatTokens, 'prompt_tokens', 'completion_tokens', 'prompt_tokens_details'],
  ['readResponsesUsage', responsesTokens, 'input_tokens', 'output_tokens', 'input_tokens_details'],
] as const)('%s', (_, read, input, output, details) => {
  const withDetails = (found: unknown) => read({ usage: { [input]: 100, [output]: 4, [details]: found } })

  it('reads the tokens of a whole answer', () => {
    expect(read({ usage: { [input]: 3, [output]: 4, total_tokens: 7 } })).toEqual(reads(3, 4))
  })

  it('reads cached tokens and cache writes as parts of the input', () => {
    expect(withDetails({ cached_tokens: 60, cache_write_tokens: 40 })).toEqual({
      ...{ tokensIn: 100, tokensOut: 4, tokensCached: 60, tokensCacheWrite: 40 },
    })
    expect(withDetails({ cached_tokens: 0 })).toMatchObject({ tokensCached: 0, tokensCacheWrite: null })
  })

  it.each([
    [null],
    ['60'],
    [[60]],
    [{}],
    [{ cached_tokens: null }],
    [{ cached_tokens: '60' }],
    [{ cached_tokens: -1 }],
    [{ cached_tokens: 0.5 }],
    [{ cached_tokens: 2 ** 60 }],
  ])('knows no cached tokens with the details %j', (found) => {
    expect(withDetails(found)).toEqual(reads(100, 4))
  })

  it.each([
    [{ cached_tokens: 101 }, 100, null],
    [{ cached_tokens: 101, cache_write_tokens: 1 }, 100, 0],
    [{ cached_tokens: 60, cache_write_tokens: 41 }, 60, 40],
    [{ cache_write_tokens: 2 ** 52 }, null, 100],
  ])('bounds parts that exceed the input: %j', (found, tokensCached, tokensCacheWrite) => {
    expect(withDetails(found)).toEqual({ tokensIn: 100, tokensOut: 4, tokensCached, tokensCacheWrite })
  })

  it.each([
    [null],
    ['usage'],
    [{}],
    [{ usage: null }],
    [{ usage: {} }],
    [{ usage: { [output]: 4 } }],
    [{ usage: { [input]: 3, [output]: null } }],
    [{ usage: { [input]: '3', [output]: 4 } }],
    [{ usage: { [input]: -1, [output]: 4 } }],
    [{ usage: { [input]: 3, [output]: 1.5 } }],
    [{ usage: { [input]: 2 ** 53, [output]: 4 } }],
  ])('finds none in %j', (answer) => {
    expect(read(answer)).toBeNull()
  })
})

describe('readChatUsage', () => {
  it('takes embeddings, which name no completion', () => {
    expect(chatTokens({ usage: { prompt_tokens: 0, total_tokens: 0 } })).toEqual(reads(0, 0))
  })
})

describe('readMessagesUsage', () => {
  it('reads usage without cached tokens, and with null for them', () => {
    expect(messagesTokens({ usage: { input_tokens: 3, output_tokens: 4 } })).toEqual(reads(3, 4))
    const nulls = { cache_read_input_tokens: null, cache_creation_input_tokens: null }
    expect(messagesTokens({ usage: { input_tokens: 3, output_tokens: 4, ...nulls } })).toEqual(reads(3, 4))
  })

  it.each([
    [{ input_tokens: 3 }],
    [{ output_tokens: 4 }],
    [{ input_tokens: -1, output_tokens: 4 }],
    [{ input_tokens: 3, output_tokens: 4, cache_read_input_tokens: -1 }],
    [{ input_tokens: 3, output_tokens: 4, cache_creation_input_tokens: '5' }],
    [{ input_tokens: 2 ** 52, output_tokens: 4, cache_read_input_tokens: 2 ** 52 }],
  ])('finds none in %j', (usage) => {
    expect(messagesTokens({ usage })).toBeNull()
  })
})
