import { describe, expect, test } from 'vitest'
import { TRANSCRIPTS } from '../../../test/support/translation/transcripts.ts'
import type { TranslatedWire } from './conversation/reasoningState.ts'
import { translateStream } from './translateStream.ts'

const FRAME = { callId: 'c1', model: 'svc/chat-default', createdAt: 1, request: {} }
const OTHER = { chat: 'messages', messages: 'responses', responses: 'chat' } as const

function streamOf(provider: TranslatedWire, events: readonly object[], options = {}) {
  const stream = translateStream({ provider, caller: OTHER[provider] }, FRAME, options)
  const lines = events.flatMap((event) => stream.push(JSON.stringify(event)))
  return { stream, lines }
}

const of = (wire: TranslatedWire) => TRANSCRIPTS[wire].events
const wires = ['chat', 'messages', 'responses'] as const

describe.each(wires)('a stream of %s', (provider) => {
  test('that is cut anywhere fails, and completes nothing', () => {
    // The last event may be missing: a stream of Messages is complete with its stop_reason.
    for (let length = 0; length < of(provider).length - 1; length++) {
      const { stream, lines } = streamOf(provider, of(provider).slice(0, length))
      expect(stream.failure, String(length)).toBeNull()
      expect(lines.join('')).not.toMatch(/"stop_reason":"|message_stop|response\.completed|\[DONE\]|"finish_reason":"/)
      stream.close()
      expect(stream.failure?.reason, String(length)).toMatch(/provider_cut|no_usage/)
    }
  })

  test('with an error fails with its code, and nothing is sent after it', () => {
    const { stream } = streamOf(provider, of(provider).slice(0, 3))
    const error = { message: 'Too many', type: 'rate_limit_error', code: 'rate_limit_exceeded' }
    expect(stream.push(JSON.stringify({ type: 'error', error }))).toEqual([])
    expect(stream.failure).toMatchObject({ reason: 'provider_error', fault: { code: 'rate_limit_exceeded' } })
    expect(stream.push(JSON.stringify(of(provider)[3]))).toEqual([])
    expect(stream.close()).toEqual([])
  })

  test.each(['{', '[]', '1', '{"a":'.repeat(1_000), 'null'])('with the data %j fails', (data) => {
    const { stream } = streamOf(provider, [])
    expect(stream.push(data)).toEqual([])
    expect(stream.failure?.reason).toBe('provider_cut')
  })

  test('that never ends fails at its limit', () => {
    const { stream } = streamOf(provider, of(provider), { charsMax: 20 })
    expect(stream.failure?.reason).toBe('provider_too_large')
  })

  test('that is over ignores what follows', () => {
    const { stream } = streamOf(provider, of(provider))
    stream.push('[DONE]')
    stream.close()
    expect(streamOf(provider, []).stream.push(': ')).toEqual([])
    expect(stream.push(JSON.stringify(of(provider)[1]))).toEqual([])
    expect(stream.failure).toBeNull()
  })
})

const delta = (fields: object, index = 0) => ({ choices: [{ index, delta: fields, finish_reason: null }] })
const toolDelta = (call: object) => delta({ tool_calls: [call] })
const start = { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } }
const block = (index: number, content: object) => ({ type: 'content_block_start', index, content_block: content })
const text = { type: 'text', text: '' }
const created = { type: 'response.created', response: {} }
const item = (index: number, fields: object) => ({
  type: 'response.output_item.added',
  output_index: index,
  item: fields,
})

describe('a stream that does not keep to its API fails', () => {
  test.each<readonly [string, TranslatedWire, readonly object[], string]>([
    ['a choice that was not asked for', 'chat', [delta({ content: 'x' }, 1)], 'provider_cut'],
    ['a tool call without an id', 'chat', [toolDelta({ index: 0, function: { name: 'f' } })], 'provider_cut'],
    ['a tool call without a name', 'chat', [toolDelta({ index: 0, id: 'a', function: {} })], 'provider_cut'],
    ['content that is a number', 'chat', [delta({ content: 1 })], 'provider_cut'],
    ['choices that are no list', 'chat', [{ choices: {} }], 'provider_cut'],
    ['a call of the old kind', 'chat', [delta({ function_call: { name: 'f' } })], 'untranslatable'],
    ['an unknown finish_reason', 'chat', [{ choices: [{ delta: {}, finish_reason: '__proto__' }] }], 'untranslatable'],
    ['a block before the message', 'messages', [block(0, text)], 'provider_cut'],
    ['a second message', 'messages', [start, start], 'provider_cut'],
    ['a block out of order', 'messages', [start, block(1, text)], 'provider_cut'],
    ['a block twice', 'messages', [start, block(0, text), block(0, text)], 'provider_cut'],
    ['a delta of no block', 'messages', [start, { type: 'content_block_delta', index: 0, delta: {} }], 'provider_cut'],
    [
      'a delta of another type',
      'messages',
      [
        start,
        block(0, text),
        { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'x' } },
      ],
      'provider_cut',
    ],
    ['a block that has no translation', 'messages', [start, block(0, { type: 'server_tool_use' })], 'untranslatable'],
    ['an event that has no translation', 'messages', [start, { type: 'constructor' }], 'untranslatable'],
    [
      'a stop before the end of a block',
      'messages',
      [start, block(0, text), { type: 'message_delta', delta: { stop_reason: 'end_turn' } }],
      'provider_cut',
    ],
    ['an item before the response', 'responses', [item(0, { type: 'message' })], 'provider_cut'],
    [
      'an item twice',
      'responses',
      [created, item(0, { type: 'message' }), item(0, { type: 'message' })],
      'provider_cut',
    ],
    ['an item that has no translation', 'responses', [created, item(0, { type: 'web_search_call' })], 'untranslatable'],
    [
      'an event of no item',
      'responses',
      [created, { type: 'response.output_text.delta', output_index: 3, content_index: 0, delta: 'x' }],
      'provider_cut',
    ],
    [
      'a response that ends before its items',
      'responses',
      [
        created,
        item(0, { type: 'message' }),
        { type: 'response.completed', response: { status: 'completed', usage: { input_tokens: 1, output_tokens: 1 } } },
      ],
      'provider_cut',
    ],
    [
      'a response with items that were not streamed',
      'responses',
      [
        created,
        {
          type: 'response.completed',
          response: { status: 'completed', output: [{}], usage: { input_tokens: 1, output_tokens: 1 } },
        },
      ],
      'provider_cut',
    ],
    [
      'a failed response',
      'responses',
      [created, { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error' } } }],
      'provider_error',
    ],
    ['no usage', 'responses', [created, { type: 'response.completed', response: { status: 'completed' } }], 'no_usage'],
  ])('%s', (_, provider, events, reason) => {
    expect(streamOf(provider, events).stream.failure?.reason).toBe(reason)
  })

  test('a signature without an end', () => {
    const signature = 'x'.repeat(1024 * 1024)
    const grows = { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature } }
    const events = [start, block(0, { type: 'thinking', thinking: '' }), ...Array(5).fill(grows)]
    expect(streamOf('messages', events).stream.failure?.reason).toBe('provider_cut')
  })

  test('tool calls whose names fill the memory', () => {
    const call = (index: number) => toolDelta({ index, id: `c${index}`, function: { name: 'f'.repeat(100) } })
    const { stream } = streamOf('chat', [0, 1, 2].map(call), { charsMax: 250 })
    expect(stream.failure?.reason).toBe('provider_too_large')
  })

  test('more parts than any answer has', () => {
    const events = Array.from({ length: 10_001 }, (_, index) =>
      toolDelta({ index, id: `c${index}`, function: { name: 'f' } }),
    )
    expect(streamOf('chat', events).stream.failure?.reason).toBe('provider_cut')
  })
})

describe('a stream of chat', () => {
  const finish = [
    { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
    { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
  ]
  const blocks = (lines: readonly string[]) => lines.join('').match(/"content_block_(?:start|stop)","index":\d/g)

  test('ends a call when the next begins and its arguments are complete', () => {
    const { stream, lines } = streamOf('chat', [
      toolDelta({ index: 0, id: 'a', function: { name: 'f', arguments: '{"a":"}' } }),
      toolDelta({ index: 0, function: { arguments: '\\""}' } }),
      toolDelta({ index: 1, id: 'b', function: { name: 'f', arguments: '{}' } }),
    ])
    expect(stream.failure).toBeNull()
    expect(blocks(lines)).toHaveLength(3)
    expect(lines.at(-2)).toContain('"content_block_start","index":1')
  })

  test('may have calls at the same time', () => {
    const { stream, lines } = streamOf('chat', [
      toolDelta({ index: 0, id: 'a', function: { name: 'f', arguments: '{"a"' } }),
      toolDelta({ index: 1, id: 'b', function: { name: 'f', arguments: '{"b"' } }),
      toolDelta({ index: 0, function: { arguments: ':1}' } }),
      toolDelta({ index: 1, function: { arguments: ':2}' } }),
      ...finish,
    ])
    lines.push(...stream.close())
    expect(stream.failure).toBeNull()
    expect(lines.join('')).toContain('"message_stop"')
  })

  test('may number each of its calls 0, or none', () => {
    for (const index of [{ index: 0 }, {}]) {
      const { stream, lines } = streamOf('chat', [
        toolDelta({ ...index, id: 'a', function: { name: 'f', arguments: '{}' } }),
        toolDelta({ ...index, id: 'b', function: { name: 'g', arguments: '{}' } }),
        ...finish,
      ])
      stream.close()
      expect(stream.failure).toBeNull()
      expect(lines.join('')).toMatch(/"id":"a","name":"f"[\s\S]*"id":"b","name":"g"/)
    }
  })

  test('stops for its calls even if it says only that it stopped', () => {
    const { lines, stream } = streamOf('chat', [
      toolDelta({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }),
      { choices: [{ delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1 } },
    ])
    expect([...lines, ...stream.close()].join('')).toContain('"stop_reason":"tool_use"')
  })

  test('names members of a delta that have no translation, for the log', () => {
    const { stream } = streamOf('chat', [delta({ content: 'x', audio: { id: '1' }, obfuscated: '' })])
    expect(stream.dropped).toEqual(['delta.audio'])
  })
})

test('what completes an item of Responses is sent when another begins or the answer ends', () => {
  const { lines } = streamOf('messages', of('messages').slice(0, 7))
  expect(lines.join('')).not.toContain('.done')
  const next = streamOf('messages', of('messages').slice(0, 8))
  expect(next.lines.join('')).toContain('"response.output_item.done"')
})

test('a stream that failed ends as clients of its API expect it', () => {
  const error = { error: { message: 'No', type: 'api_error', code: 'LLM_GATEWAY_UNAVAILABLE' } }
  const end = (caller: TranslatedWire) => translateStream({ caller, provider: 'chat' }, FRAME).failureEvent(error)
  expect(end('chat')).toBe(`data: ${JSON.stringify(error)}\n\n`)
  expect(end('messages')).toContain('event: error\ndata: {"type":"error","error":{"type":"api_error"')
  expect(end('responses')).toMatch(/^event: response\.failed\n.*"status":"failed"/)
})
