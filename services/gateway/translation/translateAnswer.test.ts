import { describe, expect, test } from 'vitest'
import { NEXT_REQUESTS } from '../../../test/support/translation/replies.ts'
import type { TranslatedWire } from './conversation/reasoningState.ts'
import { translateAnswer } from './translateAnswer.ts'
import { translateRequest } from './translateRequest.ts'

const FRAME = { callId: 'c1', model: 'svc/chat-default', createdAt: 1, request: {} }
const OTHER = { chat: 'messages', messages: 'responses', responses: 'chat' } as const

test('redacted thinking comes back to its provider through a caller of chat', () => {
  const content = [
    { type: 'redacted_thinking', data: 'EmwKAhgB' },
    { type: 'text', text: 'Good day.' },
  ]
  const answer = { content, stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1 } }
  const way = { provider: 'messages', caller: 'chat' } as const
  const result = translateAnswer(answer, way, FRAME)
  if ('failure' in result) throw new Error(result.failure.detail)
  const next = NEXT_REQUESTS.chat(result.body as Record<string, unknown>)
  const request = translateRequest(next, way, { model: 'm', maxTokensDefault: 100 })
  expect(request).toMatchObject({ leftOut: [], body: { messages: [{}, { role: 'assistant', content }, {}] } })
})

describe('a whole answer fails', () => {
  test.each<readonly [string, TranslatedWire, object, string]>([
    ['with an error in place of it', 'chat', { error: { code: 'content_filter' } }, 'provider_error'],
    ['with two choices', 'chat', { choices: [{}, {}] }, 'provider_cut'],
    ['without a usage', 'messages', { content: [], stop_reason: 'end_turn' }, 'no_usage'],
    ['with a block of a hosted tool', 'messages', { content: [{ type: 'server_tool_use' }] }, 'untranslatable'],
    ['with pause_turn', 'messages', { content: [], stop_reason: 'pause_turn' }, 'untranslatable'],
    [
      'with an item of a hosted tool',
      'responses',
      { status: 'completed', output: [{ type: 'web_search_call' }] },
      'untranslatable',
    ],
    ['if it is still in progress', 'responses', { status: 'in_progress', output: [] }, 'provider_cut'],
  ])('%s', (_, provider, answer, reason) => {
    const result = translateAnswer(answer, { provider, caller: OTHER[provider] }, FRAME)
    expect(result).toMatchObject({ failure: { reason } })
  })

  test('of Messages if the arguments of a call are not an object', () => {
    const message = { content: null, tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{"a"' } }] }
    const answer = {
      choices: [{ message, finish_reason: 'length' }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    }
    const result = translateAnswer(answer, { provider: 'chat', caller: 'messages' }, FRAME)
    expect(result).toMatchObject({ failure: { reason: 'untranslatable' } })
  })
})
