import { describe, expect, test } from 'vitest'
import { SDK_CLIENTS } from '../../../test/support/translation/sdkClients.ts'
import { TRANSCRIPTS } from '../../../test/support/translation/transcripts.ts'
import { TRANSLATED_WIRES, type TranslatedWire } from './conversation/reasoningState.ts'
import { translateAnswer } from './translateAnswer.ts'
import { translateStream } from './translateStream.ts'

const FRAME = { callId: 'c1', model: 'svc/chat-default', createdAt: 1_767_225_700, request: {} }
const REQUESTS = {
  chat: { model: 'm', messages: [{ role: 'user', content: 'Weather?' }], tools: [] },
  responses: { model: 'm', input: 'Weather?' },
  messages: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Weather?' }] },
}
const PAIRS = TRANSLATED_WIRES.flatMap((provider) => TRANSLATED_WIRES.map((caller) => ({ provider, caller })))

function streamed(provider: TranslatedWire, caller: TranslatedWire): string {
  const stream = translateStream({ provider, caller }, FRAME)
  const { events, sendsDone } = TRANSCRIPTS[provider]
  const lines = events.flatMap((event) => stream.push(JSON.stringify(event)))
  if (sendsDone) lines.push(...stream.push('[DONE]'))
  lines.push(...stream.close())
  expect(stream.failure).toBeNull()
  expect(stream.dropped).toEqual([])
  return lines.join('')
}

function whole(provider: TranslatedWire, caller: TranslatedWire): object {
  const translated = translateAnswer(TRANSCRIPTS[provider].answer, { provider, caller }, FRAME)
  if ('failure' in translated) throw new Error(translated.failure.detail)
  expect(translated.dropped).toEqual([])
  return translated.body
}

const ids = (provider: TranslatedWire) => (provider === 'messages' ? ['toolu_1', 'toolu_2'] : ['call_1', 'call_2'])

describe.each(PAIRS)('an answer of $provider for a caller of $caller', ({ provider, caller }) => {
  test('has the same meaning, as the official client reads it', async () => {
    const { answer } = await SDK_CLIENTS[caller](REQUESTS[caller], { json: whole(provider, caller) })
    expect(answer).toMatchObject(EXPECTED[caller](provider))
  })

  test('is the same when it is streamed and put together by the official client', async () => {
    const plain = await SDK_CLIENTS[caller](REQUESTS[caller], { json: whole(provider, caller) })
    const { answer } = await SDK_CLIENTS[caller](REQUESTS[caller], { sse: streamed(provider, caller) })
    expect(comparable(answer)).toEqual(comparable(plain.answer))
  })
})

test('events of Responses are numbered from 0 on', () => {
  const numbers = [...streamed('messages', 'responses').matchAll(/"sequence_number":(\d+)/g)].map(([, number]) =>
    Number(number),
  )
  expect(numbers).toEqual(numbers.map((_, position) => position))
})

/** Without members that only one of the two ways to read an answer has. */
function comparable(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(comparable)
  if (typeof answer !== 'object' || answer === null) return answer
  const members = Object.entries(answer).filter(([name, value]) => !CLIENT_MEMBERS.has(name) && value !== null)
  return Object.fromEntries(members.map(([name, value]) => [name, comparable(value)]))
}
/** Of a streamed `reasoning_content` the client keeps the last piece; the opaque field has all of it. */
const CLIENT_MEMBERS = new Set([
  'reasoning_content',
  'parsed',
  'parsed_arguments',
  'output_parsed',
  'output_text',
  '_request_id',
])

const WEATHER = ['{"city":"Oslo"}', '{"city":"Rome"}']

const EXPECTED: Readonly<Record<TranslatedWire, (provider: TranslatedWire) => object>> = {
  chat: (provider) => ({
    id: 'chatcmpl-c1',
    object: 'chat.completion',
    created: FRAME.createdAt,
    model: FRAME.model,
    service_tier: 'default',
    choices: [
      {
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: 'Let me look.',
          reasoning_content: 'Two cities to look up.',
          tool_calls: ids(provider).map((id, n) => ({
            id,
            type: 'function',
            function: { name: 'weather', arguments: WEATHER[n] },
          })),
        },
      },
    ],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 20 },
    },
  }),
  messages: (provider) => ({
    id: 'msg_c1',
    type: 'message',
    role: 'assistant',
    model: FRAME.model,
    stop_reason: 'tool_use',
    content: [
      { type: 'thinking', thinking: 'Two cities to look up.' },
      { type: 'text', text: 'Let me look.' },
      ...ids(provider).map((id, n) => ({
        type: 'tool_use',
        id,
        name: 'weather',
        input: JSON.parse(WEATHER[n] as string),
      })),
    ],
    usage: {
      input_tokens: 50,
      cache_creation_input_tokens: 10,
      cache_read_input_tokens: 40,
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 20 },
      service_tier: 'standard',
    },
  }),
  responses: (provider) => ({
    id: 'resp_c1',
    object: 'response',
    created_at: FRAME.createdAt,
    status: 'completed',
    model: FRAME.model,
    service_tier: 'default',
    output: [
      { id: 'rs_c1_0', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Two cities to look up.' }] },
      { id: 'msg_c1_1', type: 'message', content: [{ type: 'output_text', text: 'Let me look.' }] },
      ...ids(provider).map((call_id, n) => ({
        id: `fc_c1_${n + 2}`,
        type: 'function_call',
        call_id,
        name: 'weather',
        arguments: WEATHER[n],
      })),
    ],
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 20 },
      total_tokens: 150,
    },
  }),
}
