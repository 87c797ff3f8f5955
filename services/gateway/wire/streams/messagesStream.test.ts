import { describe, expect, test } from 'vitest'
import {
  blockSays,
  blockStart,
  blockStop,
  MESSAGE_STOP,
  messageDelta,
  messageStart,
  messagesEvent,
  messagesStream,
  PING,
} from '../../../../test/support/events/messagesEvents.ts'
import { MESSAGES_STREAM } from './messagesStream.ts'

const readEvent = (event: string) => MESSAGES_STREAM.readEvent(Buffer.from(/^data: (.*)$/m.exec(event)?.[1] ?? ''))

function run(events: readonly (string | null)[]) {
  const gate = MESSAGES_STREAM.begin({ n: 1 })
  const decisions = events.map((event) => gate.admit(event === null ? null : readEvent(event)))
  return { decisions, isEnding: gate.isEnding, end: gate.end() }
}
const usageOf = (...events: string[]) => run(events).end.usage
const REST = { units: {}, serviceTier: null, total: null }

describe('the gate of a Messages stream', () => {
  test('holds everything from the event with the stop_reason on', () => {
    const { decisions, end, isEnding } = run([...messagesStream('Good day.'), null, PING])
    expect(decisions.join(' ')).toBe('pass pass pass pass pass pass hold hold hold hold')
    expect(end).toMatchObject({ finished: true, sawDone: false })
    expect(isEnding).toBe(true)
  })

  test('passes comments, pings and deltas without a stop_reason before that', () => {
    const { decisions, isEnding } = run([
      messageStart(),
      null,
      PING,
      messageDelta({ output_tokens: 5 }, null),
      blockStop(),
    ])
    expect(decisions).toEqual(['pass', 'pass', 'pass', 'pass', 'pass'])
    expect(isEnding).toBe(false)
  })

  test('holds message_stop without a stop_reason', () => {
    expect(run([messageStart(), MESSAGE_STOP]).decisions).toEqual(['pass', 'hold'])
  })
})

describe('the usage of a Messages stream', () => {
  const whole = { ...REST, tokensIn: 1_000, tokensOut: 500, parts: { cachedInput: 200, cacheWrite: 100 } }

  test('is the input of the beginning with the output of the end', () => {
    expect(usageOf(...messagesStream())).toEqual(whole)
  })

  test('takes the last count of each kind, because they are cumulative', () => {
    const first = messageDelta({ output_tokens: 100 }, null)
    expect(usageOf(messageStart(), first, messageDelta())).toEqual(whole)
    const later = messageDelta({ input_tokens: 800, cache_read_input_tokens: null, output_tokens: 9 })
    expect(usageOf(messageStart(), first, later)).toEqual({ ...whole, tokensIn: 1_100, tokensOut: 9 })
    expect(usageOf(messageStart(), messageDelta(null), messageDelta({ output_tokens: 7 }))).toMatchObject({
      tokensOut: 7,
    })
  })

  test('may stand at the end alone', () => {
    const usage = { input_tokens: 3, output_tokens: 4 }
    expect(usageOf(messageStart({ usage: undefined }), messageDelta(usage))).toEqual({
      ...{ ...REST, tokensIn: 3, tokensOut: 4, parts: {} },
    })
  })

  test('has the kinds of the beginning and the tools of the end', () => {
    const start = messageStart({
      usage: {
        ...{ input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 30, service_tier: 'priority' },
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      },
    })
    const end = messageDelta({ output_tokens: 9, server_tool_use: { web_search_requests: 2 } })
    expect(usageOf(start, end)).toMatchObject({
      ...{ tokensIn: 40, tokensOut: 9, parts: { cacheWrite: 10, cacheWrite1h: 20 } },
      ...{ units: { 'tool:web_search': 2 }, serviceTier: 'priority' },
    })
  })

  test.each([
    ['stands at the beginning alone', [messageStart(), messageDelta(null), MESSAGE_STOP]],
    ['has no end', [messageStart(), blockStart(), messageDelta({ output_tokens: 5 }, null)]],
    ['has a negative output', [messageStart(), messageDelta({ output_tokens: -1 })]],
    ['has a negative input', [messageStart({ usage: { input_tokens: -1 } }), messageDelta()]],
    ['has no input', [messageStart({ usage: {} }), messageDelta()]],
    ['stands in another event', [messageStart(), messagesEvent('message_stop', { usage: { output_tokens: 5 } })]],
  ])('is unknown if it %s', (_, events) => {
    expect(usageOf(...events)).toBeNull()
  })
})

test('text, thoughts and arguments count as delivered', () => {
  const delta = (fields: object) => messagesEvent('content_block_delta', { delta: fields })
  const events = [
    blockSays('four'),
    delta({ thinking: 'abc' }),
    delta({ partial_json: '{}' }),
    delta({ signature: 'xxx' }),
  ]
  expect(events.map((event) => readEvent(event).deliveredChars)).toEqual([4, 3, 2, 0])
})

test('an error event is an error of the provider', () => {
  expect(readEvent(messagesEvent('error', { error: { type: 'overloaded_error', message: 'x' } })).error).toBe(true)
})

test.each(['x', '[]', 'null', '[DONE]'])('%s is not an event', (data) => {
  expect(MESSAGES_STREAM.readEvent(Buffer.from(data)).kind).toBe('invalid')
})
