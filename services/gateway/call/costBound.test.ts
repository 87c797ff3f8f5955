import { describe, expect, test } from 'vitest'
import { firstQuestion, repairQuestion, requestBody } from '../../../capabilities/extraction/extraction.ts'
import { CV } from '../../../capabilities/extraction/parseTarget.ts'
import { readChatRequest } from '../wire/requests/chatRequest.ts'
import { readCompletionRequest } from '../wire/requests/completionRequest.ts'
import { readEmbeddingRequest } from '../wire/requests/embeddingRequest.ts'
import type { InferenceRequest, Refused } from '../wire/requests/inferenceRequest.ts'
import { readResponsesRequest } from '../wire/requests/responsesRequest.ts'
import { HOSTED_TOOL_CALLS_MAX, parseBound, requestBound, usageMax, usageWithinBound } from './costBound.ts'

const chat = { model: 'svc/chat-default', messages: [{ role: 'user', content: 'Hello' }] }

function bound(read: (body: Buffer) => InferenceRequest | Refused, fields: object, maxOutputTokens = 4_096) {
  const body = Buffer.from(JSON.stringify(fields))
  const request = read(body)
  if ('refused' in request) throw new Error(request.refused)
  const { tokensIn, tokensOut } = requestBound(request)(maxOutputTokens)
  expect(tokensIn).toBe(body.length)
  const most = usageMax(request, maxOutputTokens)
  expect(most.tokensIn).toBe(tokensIn + 4_096)
  expect(most.tokensOut).toBeGreaterThanOrEqual(tokensOut)
  return tokensOut
}

describe('the most that a call may write', () => {
  test.each([
    ['is what the alias gives', {}, 4_096],
    ['is lowered by max_tokens', { max_tokens: 10 }, 10],
    ['is lowered by max_completion_tokens', { max_completion_tokens: 10 }, 10],
    ['is the larger of the two, as a provider may obey either', { max_tokens: 10, max_completion_tokens: 20 }, 20],
    ['is not raised by a caller that asks for more', { max_tokens: 100_000 }, 4_096],
    ['is so for each choice', { max_tokens: 10, n: 3 }, 30],
    ['does not go beyond what a call is charged for', { n: 128 }, 100_000_000, 1_000_000],
  ])('%s', (_, changes, expected, maxOutputTokens?: number) => {
    expect(bound(readChatRequest, { ...chat, ...changes }, maxOutputTokens)).toBe(expected)
  })

  test('the bound of a legacy completion counts every prompt and every choice of best_of', () => {
    const fields = { model: 'svc/chat-default', prompt: ['a', 'b'], n: 2, best_of: 5, max_tokens: 10 }
    expect(bound(readCompletionRequest, fields)).toBe(2 * 5 * 10)
    expect(bound(readCompletionRequest, { ...fields, max_tokens: 0 })).toBe(0)
  })

  test('an embedding has no output tokens', () => {
    expect(bound(readEmbeddingRequest, { model: 'svc/embed-default', input: 'a' })).toBe(0)
  })

  test('the bound of a parse call covers both questions', () => {
    const question = firstQuestion(CV, 'Ada Lovelace, engineer')
    const { tokensIn, tokensOut } = parseBound(CV, question)(500)
    expect(tokensOut).toBe(1_000)
    // The worst case of the second request: the longest answer, and a very long list of problems.
    const answer = 'x'.repeat(500)
    const repair = repairQuestion(question, answer, Array<string>(100).fill('ü'.repeat(10_000)))
    const sentBytes = requestBody(CV, '', question).length + requestBody(CV, '', repair).length
    expect(sentBytes).toBeLessThanOrEqual(tokensIn)
    expect(sentBytes).toBeGreaterThan(tokensIn - 1_000)
  })
})

describe('images and documents', () => {
  const image = { type: 'image_url', image_url: { url: 'https://images.example/a.png' } }
  const withContent = (content: unknown) => {
    const body = Buffer.from(JSON.stringify({ ...chat, messages: [{ role: 'user', content }] }))
    const request = readChatRequest(body)
    if ('refused' in request) throw new Error(request.refused)
    const held = requestBound(request)(4_096).tokensIn - body.length
    return { held, believed: usageMax(request).tokensIn - body.length - 4_096 }
  }

  test.each([
    ['a text', 'image_url', 0],
    ['no content', null, 0],
    ['text parts', [{ type: 'text', text: 'image_url' }], 0],
    ['an image', [image], 2_000],
    ['images among other parts', [{ type: 'text', text: 'Compare.' }, image, null, 'image_url', image], 4_000],
    ['a document beside an image', [image, { type: 'file', file: { file_data: 'data:,' } }], 302_000],
  ])('%s counts into the hold and the bound', (_, content, tokens) => {
    expect(withContent(content)).toEqual({ held: tokens, believed: tokens })
  })
})

describe('the kinds of tokens and the units that a request may use', () => {
  const boundOf = (read: (body: Buffer) => InferenceRequest | Refused, fields: object) => {
    const request = read(Buffer.from(JSON.stringify(fields)))
    if ('refused' in request) throw new Error(request.refused)
    const { parts, units } = requestBound(request)(4_096)
    expect(usageMax(request)).toMatchObject({ parts, units })
    return { parts, units }
  }
  const responses = { model: 'svc/chat-default', input: 'Hello' }
  const search = { type: 'web_search_preview_2025_03_11' }

  test('a text has no recordings and pictures', () => {
    expect(boundOf(readChatRequest, chat)).toEqual({
      parts: { audioInput: 0, imageInput: 0, audioOutput: 0 },
      units: {},
    })
  })

  test('a request for audio may be answered with it', () => {
    const { parts } = boundOf(readChatRequest, { ...chat, modalities: ['text', 'audio'], audio: { voice: 'alloy' } })
    expect(parts.audioOutput).toBeUndefined()
  })

  test('a picture has no sound', () => {
    const content = [{ type: 'image_url', image_url: { url: 'https://images.example/a.png' } }]
    const { parts } = boundOf(readChatRequest, { ...chat, messages: [{ role: 'user', content }] })
    expect(parts).toMatchObject({ imageInput: 2_000, audioInput: 0 })
  })

  test('a hosted tool may be called often, or as often as the request says', () => {
    const { parts, units } = boundOf(readResponsesRequest, { ...responses, tools: [search] })
    expect({ parts, units }).toEqual({ parts: {}, units: { 'tool:web_search': HOSTED_TOOL_CALLS_MAX } })
    const limited = { ...responses, tools: [search, { type: 'code_interpreter' }], max_tool_calls: 3 }
    expect(boundOf(readResponsesRequest, limited).units).toEqual({ 'tool:web_search': 3, 'tool:code_interpreter': 3 })
  })

  test('a search over chat counts once, and a live search by its sources', () => {
    expect(boundOf(readChatRequest, { ...chat, web_search_options: {} }).units).toEqual({ 'tool:web_search': 1 })
    expect(boundOf(readChatRequest, { ...chat, search_parameters: { mode: 'auto' } }).units).toEqual({ search: 50 })
  })
})

describe('the bound on the usage that a provider reports', () => {
  const bound = { tokensIn: 100, tokensOut: 50, parts: { audioOutput: 5 }, units: { search: 3 } }
  const parts = { cachedInput: 80, cacheWrite: 20, audioOutput: 5 }
  const usage = { tokensIn: 100, tokensOut: 50, parts, units: { search: 3 }, serviceTier: null }

  test('leaves usage within it as it is', () => {
    expect(usageWithinBound(usage, bound)).toBe(usage)
  })

  test('cuts each count that is beyond it, and parts with their direction', () => {
    expect(usageWithinBound({ ...usage, tokensOut: 51 }, bound)).toEqual(usage)
    const input = { ...usage, tokensIn: 101, tokensOut: 1, parts: { cachedInput: 90, cacheWrite: 11 } }
    expect(usageWithinBound(input, bound)).toMatchObject({
      ...{ tokensIn: 100, tokensOut: 1, parts: { cachedInput: 90, cacheWrite: 10 } },
    })
    expect(usageWithinBound({ ...usage, parts: { ...parts, audioOutput: 6 } }, bound)).toEqual(usage)
  })

  test('cuts units that the request cannot have used', () => {
    expect(usageWithinBound({ ...usage, units: { search: 4, 'tool:web_search': 1 } }, bound)).toEqual(usage)
  })

  test('depends on contextLength and the choices, up to what a call on the ledger may have', () => {
    const request = { bodyBytes: 60, images: 0, generated: 3, toolCallsMax: null, asksForAudio: false }
    expect(usageMax(request, 8_000)).toMatchObject({ tokensIn: 60 + 4_096, tokensOut: 24_000 })
    expect(usageMax(request).tokensOut).toBe(3_000_000)
    expect(usageMax({ ...request, generated: 128 }).tokensOut).toBe(100_000_000)
  })
})
