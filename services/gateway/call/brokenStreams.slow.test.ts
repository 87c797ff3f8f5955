import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  MESSAGE_STOP,
  messageDelta,
  messageStart,
  messagesStream,
} from '../../../test/support/events/messagesEvents.ts'
import { responsesEvents, responsesStream } from '../../../test/support/events/responsesEvents.ts'
import { type MemoryGateway, startMemoryGateway } from '../../../test/support/harness/memoryGateway.ts'
import {
  PROVIDER_MODEL,
  type Script,
  streamed,
  streamedThenCut,
} from '../../../test/support/parties/scriptedProvider.ts'
import { until } from '../../../test/support/time/until.ts'

/** Streams of Responses and Messages from providers that break off or report wrong usage. */
let gateway: MemoryGateway
beforeAll(async () => {
  gateway = await startMemoryGateway()
})
afterAll(() => gateway.close())
// Five failures in a row would open the circuit breaker of the provider.
beforeEach(async () => {
  const body = { model: 'svc/chat-default', messages: [{ role: 'user', content: HELLO }] }
  expect((await gateway.call('/chat/completions', { key: gateway.mintKey(), body })).status).toBe(200)
})

const HELLO = 'Hello'
const APIS = {
  '/responses': {
    body: { model: 'svc/chat-default', stream: true, input: HELLO },
    events: responsesStream('Good day to you.'),
    failure: /event: response\.failed\ndata: \{"type":"response\.failed".*\}\n\n$/,
    /** What completes an answer. */
    completes: /event: response\.(?:\w+\.done|completed)/,
  },
  '/messages': {
    body: { model: 'svc/chat-default', stream: true, max_tokens: 9, messages: [{ role: 'user', content: HELLO }] },
    events: messagesStream('Good day to you.'),
    failure: /event: error\ndata: \{"type":"error","error":\{.*\}\}\n\n$/,
    completes: /"stop_reason":"|event: message_stop/,
  },
} as const
type Path = keyof typeof APIS
const PATHS = Object.keys(APIS) as Path[]

async function run(path: Path, script: Script) {
  gateway.provider.next(script)
  const { text, headers } = await gateway.call(path, { key: gateway.mintKey(), body: APIS[path].body })
  const callId = String(headers['x-request-id'])
  await until('the call ends on the ledger', () => gateway.eventsOf(callId).length > 0)
  const ends = gateway.eventsOf(callId).map(({ type }) => type)
  return { text, ends }
}

function expectFailure(path: Path, { text, ends }: Awaited<ReturnType<typeof run>>): void {
  expect(ends).toEqual(['CallFailed'])
  expect(text).toMatch(APIS[path].failure)
  expect(text).not.toMatch(APIS[path].completes)
  expect(text).not.toContain(PROVIDER_MODEL)
  expect(text).not.toContain('x-credits-charged')
}

describe.each(PATHS)('%s, cut', (path) => {
  const { events, completes } = APIS[path]
  /** The event with the usage: from then on the answer is complete. */
  const usageAt = events.findIndex((event) => /response\.completed|message_delta/.test(event))

  test.each(events.map((_, at) => at))('after %d events', async (at) => {
    const result = await run(path, streamedThenCut(...events.slice(0, at)))
    if (at <= usageAt) return expectFailure(path, result)
    expect(result.ends).toEqual(['CallCharged'])
    expect(result.text).toMatch(completes)
  })

  test.each(events.map((_, at) => at))('within event %d', async (at) => {
    const half = events[at]?.slice(0, -12) ?? ''
    const result = await run(path, streamedThenCut(...events.slice(0, at), half))
    if (at <= usageAt) return expectFailure(path, result)
    expect(result.ends).toEqual(['CallCharged'])
  })

  test('ended early, as if it was complete', async () => {
    expectFailure(path, await run(path, streamed(...events.slice(0, usageAt))))
  })
})

const { ends, event, itemAdded, says } = responsesEvents()
const usage = { input_tokens: 3, output_tokens: 4 }

test.each<[string, Path, string[]]>([
  ['missing', '/responses', [says('a'), ends({ usage: null })]],
  ['negative', '/responses', [says('a'), ends({ usage: { input_tokens: 5, output_tokens: -4 } })]],
  ['a text', '/responses', [says('a'), ends({ usage: { input_tokens: '5', output_tokens: '4' } })]],
  ['in another event', '/responses', [event('response.in_progress', { response: { usage } }), says('a')]],
  ['beside the answer', '/responses', [itemAdded(), event('response.completed', { usage, response: {} })]],
  ['missing', '/messages', [messageStart(), messageDelta(null), MESSAGE_STOP]],
  ['negative', '/messages', [messageStart(), messageDelta({ output_tokens: -1 }), MESSAGE_STOP]],
  [
    'negative for a cache',
    '/messages',
    [messageStart(), messageDelta({ cache_read_input_tokens: -9, output_tokens: 1 })],
  ],
  ['at the beginning only', '/messages', [messageStart(), MESSAGE_STOP]],
  ['before the stop_reason only', '/messages', [messageStart(), messageDelta({ output_tokens: 4 }, null)]],
])('a usage that is %s is not charged: %s', async (_, path, events) => {
  expectFailure(path, await run(path, streamed(...events)))
})

test.each<[Path, string[]]>([
  ['/responses', [says('a'), ends({ usage: { input_tokens: 9, output_tokens: 9 } }), ends({ usage })]],
  [
    '/messages',
    [
      messageStart({ usage: { input_tokens: 3 } }),
      messageDelta({ output_tokens: 9 }),
      messageDelta({ output_tokens: 4 }),
    ],
  ],
])('of a usage that is repeated the last is charged, once: %s', async (path, events) => {
  gateway.provider.next(streamed(...events))
  const { headers } = await gateway.call(path, { key: gateway.mintKey(), body: APIS[path].body })
  const booked = gateway.eventsOf(String(headers['x-request-id']))
  expect(booked).toMatchObject([{ type: 'CallCharged', data: { tokensIn: 3, tokensOut: 4 } }])
})

test.each<[Path, string[]]>([
  [
    '/responses',
    [
      event('response.created', { response: { model: 'a-snapshot', tools: [{ model: 'mine' }] } }),
      ends({ model: 'a-snapshot' }),
    ],
  ],
  ['/messages', [messageStart({ model: 'a-snapshot' }), messageDelta(), MESSAGE_STOP]],
])('the name that a provider gives its model reaches no caller, wherever it stands: %s', async (path, events) => {
  const nested = event('response.output_item.added', { output_index: 0, item: { type: 'x', model: PROVIDER_MODEL } })
  const { text, ends: booked } = await run(path, streamed(...(path === '/responses' ? [nested] : []), ...events))
  expect(booked).toEqual(['CallCharged'])
  expect(text).not.toContain('a-snapshot')
  expect(text).not.toContain(PROVIDER_MODEL)
  expect(text).toContain('"model":"svc/chat-default"')
  if (path === '/responses') expect(text).toContain('"model":"mine"')
})

test.each(PATHS)('an error that the provider reports within a stream is ours to word: %s', async (path) => {
  const failed = event(path === '/responses' ? 'response.failed' : 'error', { error: { message: 'secret-of-vendor' } })
  const result = await run(path, streamed(...APIS[path].events.slice(0, 3), failed))
  expectFailure(path, result)
  expect(result.text).not.toContain('secret-of-vendor')
})
