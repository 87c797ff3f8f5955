import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PROVIDER_ANSWER_BYTES_MAX } from '../../../capabilities/providers/answerReceiver.ts'
import { responseObject, responsesEvents } from '../../../test/support/events/responsesEvents.ts'
import { callIdOf } from '../../../test/support/harness/gatewayClient.ts'
import { type MemoryGateway, startMemoryGateway } from '../../../test/support/harness/memoryGateway.ts'
import {
  chunk,
  DONE,
  finishes,
  says,
  streamed,
  usageBlock,
  whole,
} from '../../../test/support/parties/scriptedProvider.ts'
import { until } from '../../../test/support/time/until.ts'
import { ANSWER_GROWTH_BYTES_MAX } from './answerRoom.ts'
import { HELD_STREAM_BYTES_MAX, PROVIDER_EVENT_BYTES_MAX } from './streamedCall.ts'

const MODEL = 'svc/chat-default'
const LONG = 'x'.repeat(4_180_000)

let gateway: MemoryGateway
let key: string

beforeEach(async () => {
  gateway = await startMemoryGateway()
  key = gateway.mintKey()
})
afterEach(() => gateway.close())

const ending = (callId: string) => until('the call ends on the ledger', () => gateway.eventsOf(callId)[0])

/** Makes a call and reads its answer to the end. */
async function answerOf(path: string, body: object): Promise<{ text: string; event: unknown }> {
  const stream = await gateway.stream(path, { key, body })
  await stream.ended
  return { text: stream.text(), event: await ending(callIdOf(stream)) }
}

/** A completion whose first event repeats its prompt, which is larger than an ordinary event may be. */
function echoed() {
  const prompt = `${LONG}${LONG}`
  gateway.provider.next(streamed(chunk({ choices: [{ index: 0, text: prompt }] }), finishes(), usageBlock(), DONE))
  return answerOf('/completions', { model: MODEL, stream: true, prompt, echo: true })
}

describe('a stream whose events repeat a large request is passed on and charged', () => {
  test('the instructions of a Responses call, with every character escaped', async () => {
    expect(LONG.length).toBeLessThan(PROVIDER_EVENT_BYTES_MAX)
    const { created, itemAdded, partAdded, says: say, textDone, itemDone, ends } = responsesEvents()
    const end = ends({ instructions: '<'.repeat(LONG.length) }).replaceAll('<', '\\u003c')
    gateway.provider.next(
      streamed(created(), itemAdded(), partAdded(), say('Good day.'), textDone(''), itemDone(), end),
    )
    const body = { model: MODEL, stream: true, input: 'Hi', instructions: '<'.repeat(LONG.length) }
    const { text, event } = await answerOf('/responses', body)
    expect(event).toMatchObject({ type: 'CallCharged', data: { tokensIn: 1_000, tokensOut: 500 } })
    expect(text.length).toBeGreaterThan(6 * LONG.length)
    expect(text).toContain('response.completed')
    expect(gateway.answerGrowth.used).toBe(0)
  })

  test('the prompt of a completion with echo', async () => {
    const { event } = await echoed()
    expect(event).toMatchObject({ type: 'CallCharged' })
  })

  test('unless answers of other calls have used up the shared budget', async () => {
    gateway.answerGrowth.take(null, ANSWER_GROWTH_BYTES_MAX - LONG.length)
    const { event } = await echoed()
    expect(event).toMatchObject({ type: 'CallFailed', data: { reason: 'provider_too_large' } })
    expect(gateway.answerGrowth.used).toBe(ANSWER_GROWTH_BYTES_MAX - LONG.length)
  })

  test('and returns its part of the budget if its charge is not stored', async () => {
    gateway.store.failNext(() => Promise.reject(new Error('refused')))
    const { event } = await echoed()
    expect(event).toMatchObject({ type: 'CallFailed', data: { reason: 'ledger_unavailable' } })
    await until('its room is free', () => gateway.answerGrowth.used === 0)
  })
})

test('a stream whose last events repeat what was delivered is passed on and charged', async () => {
  const { created, itemAdded, partAdded, event, textDone, itemDone, ends } = responsesEvents()
  // As with top_logprobs: each word has far more bytes than characters.
  const word = () =>
    event('response.output_text.delta', { output_index: 0, delta: 'ab', logprobs: 'y'.repeat(500_000) })
  const words = Array.from({ length: 12 }, word)
  const again = 'y'.repeat(5_500_000)
  const rest = [textDone(again), itemDone(), ends({ metadata: again })]
  expect(Buffer.byteLength(rest.join(''))).toBeGreaterThan(HELD_STREAM_BYTES_MAX)
  gateway.provider.next(streamed(created(), itemAdded(), partAdded(), ...words, ...rest))
  const { event: charge } = await answerOf('/responses', { model: MODEL, stream: true, input: 'Hi' })
  expect(charge).toMatchObject({ type: 'CallCharged' })
})

describe('unexplained size is still refused, and counts as abandoned once part was delivered', () => {
  test('an event that is larger than the request and the answer so far', async () => {
    const { created, itemAdded, partAdded, says: say, ends } = responsesEvents()
    gateway.provider.next(
      streamed(created(), itemAdded(), partAdded(), say('Good day.'), ends({ metadata: LONG + LONG })),
    )
    const { event } = await answerOf('/responses', { model: MODEL, stream: true, input: 'Hi' })
    const data = { reason: 'provider_too_large', tokensAbandoned: expect.any(Number) }
    expect(event).toMatchObject({ type: 'CallFailed', data })
    expect(gateway.answerGrowth.used).toBe(0)
  })

  test('an end that is larger than the hold-back limit', async () => {
    const large = says('x'.repeat(1024 * 1024))
    gateway.provider.next(
      streamed(says('Good'), finishes(), ...Array.from({ length: 16 }, () => large), usageBlock(), DONE),
    )
    const body = { model: MODEL, stream: true, messages: [{ role: 'user', content: 'Hi' }] }
    const { event } = await answerOf('/chat/completions', body)
    expect(event).toMatchObject({
      type: 'CallFailed',
      data: { reason: 'provider_too_large', tokensAbandoned: expect.any(Number) },
    })
  })
})

test('an answer in one piece that repeats an escaped request is passed on and charged', async () => {
  const instructions = '<'.repeat(6 * 1024 * 1024)
  const answer = Buffer.from(JSON.stringify(responseObject({ instructions })).replaceAll('<', '\\u003c'))
  expect(answer.length).toBeGreaterThan(PROVIDER_ANSWER_BYTES_MAX)
  gateway.provider.next(whole(answer))
  const { event } = await answerOf('/responses', { model: MODEL, input: 'Hi', instructions })
  expect(event).toMatchObject({ type: 'CallCharged' })
  expect(gateway.answerGrowth.used).toBe(0)
})

test('an answer in one piece that is too large counts as abandoned', async () => {
  gateway.provider.next(whole(Buffer.alloc(PROVIDER_ANSWER_BYTES_MAX + 1, ' ')))
  const { event } = await answerOf('/responses', { model: MODEL, input: 'Hi' })
  expect(event).toMatchObject({
    type: 'CallFailed',
    data: { reason: 'provider_too_large', tokensAbandoned: expect.any(Number) },
  })
})
