import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROVIDER_EVENT_BYTES_MAX } from '../../../services/gateway/call/streamedCall.ts'
import { type Answer, callIdOf, chatBody, withoutCost } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import {
  chunk,
  DONE,
  finishes,
  PROVIDER_MODEL,
  type Script,
  says,
  streamed,
  streamedThenCut,
  usageBlock,
  whole,
} from '../../support/parties/scriptedProvider.ts'

/** One test waits this long. The others would fail if a busy machine paused longer within a stream. */
const SILENCE_MS = 2_000
let gateway: GatewayHarness

beforeAll(async () => {
  gateway = await startGatewayHarness({ provider: { idleTimeoutMs: SILENCE_MS } })
})
afterAll(() => gateway.close())

const STREAM = chatBody({ stream: true })
/** More than what a small request and one word may add to the limits of an answer. */
const LARGER = 16 * 1024
const aliased = (text: string) => text.replaceAll(PROVIDER_MODEL, 'svc/chat-default')

async function streamOf(script: Script, changes: object = {}): Promise<Answer> {
  gateway.provider.next(script)
  return gateway.chat({ ...STREAM, ...changes })
}

async function expectCharged(answer: Answer, tokens: { tokensIn: number; tokensOut: number }): Promise<void> {
  expect(await gateway.eventsOf(callIdOf(answer))).toMatchObject([{ type: 'CallCharged', data: tokens }])
}

/** Checks what was passed on, a recognisable error, no [DONE], no charge, and a recorded failure. */
async function expectFailed(answer: Answer, passedOn: string, reason: string): Promise<void> {
  expect(answer.status).toBe(200)
  expect(answer.text.startsWith(aliased(passedOn))).toBe(true)
  const rest = answer.text.slice(aliased(passedOn).length)
  expect(rest).toMatch(/^data: \{"error":.*\}\n\n$/)
  expect(JSON.parse(rest.slice('data: '.length)).error).toEqual({
    message: expect.stringMatching(/^The (answer of the )?model .* The call costs nothing/),
    type: 'api_error',
    code: reason === 'provider_too_large' ? 'LLM_ANSWER_TOO_LARGE' : 'LLM_GATEWAY_UNAVAILABLE',
  })
  expect(await gateway.ending(callIdOf(answer))).toMatchObject({ type: 'CallFailed', data: { reason, streamed: true } })
  expect(await gateway.eventsOf(callIdOf(answer))).toHaveLength(1)
}

describe('a stream is passed on as it arrives', () => {
  test('each chunk reaches the caller before the provider sends the next', async () => {
    const more = [0, 1, 2].map(() => Promise.withResolvers<void>())
    gateway.provider.next(
      streamed(
        ': hello\n\n',
        says('one'),
        ...more.flatMap(({ promise }, n) => [promise, says(`part-${n}`)]),
        finishes(),
        usageBlock(),
        DONE,
      ),
    )
    const stream = await gateway.stream(STREAM)
    await stream.saw(': hello')
    await stream.saw('"one"')
    for (const [n, { resolve }] of more.entries()) {
      expect(stream.text()).not.toContain(`part-${n}`)
      resolve()
      await stream.saw(`part-${n}`)
    }
    expect(await stream.ended).toBe('whole')
    expect(stream.text().endsWith(DONE)).toBe(true)
  })

  test('regardless of how the bytes are split', async () => {
    const text = `${says('Good ')}${says('dåy 🙂')}${finishes()}${usageBlock()}${DONE}`
    const bytes = Buffer.from(text)
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, n) => bytes.subarray(n * 7, n * 7 + 7))
    const answer = await streamOf(streamed(...pieces))
    expect(withoutCost(answer.text)).toBe(aliased(text))
    await expectCharged(answer, { tokensIn: 1_000, tokensOut: 500 })
  })

  test('the event with the finish_reason waits for the usage block', async () => {
    const { promise: usageMayCome, resolve: sendUsage } = Promise.withResolvers<void>()
    gateway.provider.next(streamed(says('Good day.'), finishes(), usageMayCome, usageBlock(), DONE))
    const stream = await gateway.stream(STREAM)
    await stream.saw('Good day.')
    await gateway.call('/llm/v1/models')
    expect(stream.text()).not.toContain('"stop"')
    sendUsage()
    await stream.saw('"stop"')
    expect(await stream.ended).toBe('whole')
  })

  test('a comment before the first held event gives the cost of the stream', async () => {
    const waited = [finishes(), usageBlock(), DONE].join('')
    const answer = await streamOf(streamed(says('Good day.'), waited))
    expect(answer.text).toBe(aliased(`${says('Good day.')}: x-credits-charged 1.25\n\n${waited}`))
    expect(await gateway.eventsOf(callIdOf(answer))).toMatchObject([{ data: { amountMicros: '1250000' } }])
  })

  test('of two choices, the finish_reason of each waits for the charge, and the words of the other pass', async () => {
    const { promise: lastMayFinish, resolve: finishLast } = Promise.withResolvers<void>()
    gateway.provider.next(
      streamed(says('a', 0), says('b', 1), finishes(1), says('c', 0), lastMayFinish, finishes(0), usageBlock(), DONE),
    )
    const stream = await gateway.stream({ ...STREAM, n: 2 })
    await stream.saw('"content":"c"')
    expect(stream.text()).not.toContain('"stop"')
    finishLast()
    expect(await stream.ended).toBe('whole')
    expect(stream.text().match(/"stop"/g)).toHaveLength(2)
  })
})

describe('a stream is charged by the last usage block', () => {
  test.each([
    ['usage twice', [finishes(), usageBlock({ prompt_tokens: 1, completion_tokens: 1 }), usageBlock(), DONE]],
    ['usage, then one that is null', [finishes(), usageBlock(), chunk({ choices: [], usage: null }), DONE]],
    ['usage before the finish', [usageBlock(), finishes(), DONE]],
    ['no [DONE]', [finishes(), usageBlock()]],
    ['neither finish_reason nor [DONE], but an end', [usageBlock()]],
  ])('%s', async (_, end) => {
    const answer = await streamOf(streamed(says('Good day.'), ...end))
    expect(withoutCost(answer.text)).toBe(aliased([says('Good day.'), ...end].join('')))
    await expectCharged(answer, { tokensIn: 1_000, tokensOut: 500 })
  })

  test('usage that comes with the finish_reason itself', async () => {
    const last = chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'length' }], usage: { prompt_tokens: 3 } })
    const answer = await streamOf(streamed(says('Good day.'), last, DONE))
    expect(answer.text).toContain('"length"')
    await expectCharged(answer, { tokensIn: 3, tokensOut: 0 })
  })

  test('a cut after finish_reason and usage: the answer was complete', async () => {
    const answer = await streamOf(streamedThenCut(says('Good day.'), finishes(), usageBlock()))
    expect(withoutCost(answer.text)).toBe(aliased(`${says('Good day.')}${finishes()}${usageBlock()}`))
    await expectCharged(answer, { tokensIn: 1_000, tokensOut: 500 })
  })
})

describe('a stream that fails ends with an SSE error and no [DONE], and is not charged', () => {
  const first = says('Good day.')

  test.each<[string, Script, string]>([
    ['no usage block', streamed(first, finishes(), DONE), 'no_usage'],
    ['usage without numbers', streamed(first, finishes(), usageBlock({ prompt_tokens: 'many' }), DONE), 'no_usage'],
    ['usage below zero', streamed(first, finishes(), usageBlock({ prompt_tokens: -1 }), DONE), 'no_usage'],
    [
      'usage that is not a number of tokens',
      streamed(first, finishes(), usageBlock({ prompt_tokens: 1e300 }), DONE),
      'no_usage',
    ],
    ['an end in the middle', streamed(first), 'no_usage'],
    ['a broken connection', streamedThenCut(first), 'provider_cut'],
    ['a cut in the middle of an event', streamedThenCut(first, 'data: {"choices":[{"ind'), 'provider_cut'],
    ['an end in the middle of an event', streamed(first, 'data: {"choices":[{"ind'), 'provider_cut'],
    ['a finish without usage, then a cut', streamedThenCut(first, finishes()), 'provider_cut'],
    ['silence', streamed(first, new Promise(() => {})), 'provider_cut'],
    ['an event that is no JSON', streamed(first, 'data: {oops}\n\n', finishes(), usageBlock(), DONE), 'provider_error'],
    ['an event that is no object', streamed(first, 'data: [1]\n\n', finishes(), usageBlock(), DONE), 'provider_error'],
    [
      'an error of the provider',
      streamed(first, 'data: {"error":{"message":"vendor-one is down"}}\n\n', finishes(), usageBlock(), DONE),
      'provider_error',
    ],
  ])('%s', async (_, script, reason) => {
    const answer = await streamOf(script)
    await expectFailed(answer, first, reason)
    expect(answer.text).not.toMatch(/vendor/i)
  })

  test('usage in each chunk, then a cut', async () => {
    const sofar = chunk({ choices: [{ index: 0, delta: { content: 'Good' } }], usage: { prompt_tokens: 1 } })
    await expectFailed(await streamOf(streamedThenCut(sofar)), sofar, 'provider_cut')
  })

  test('before its first event', async () => {
    await expectFailed(await streamOf(streamedThenCut()), '', 'provider_cut')
  })

  test('an event over the size limit', async () => {
    const answer = await streamOf(streamed(first, `data: "${'x'.repeat(PROVIDER_EVENT_BYTES_MAX + LARGER)}"\n\n`, DONE))
    await expectFailed(answer, first, 'provider_too_large')
  })

  test('too much after the last finish_reason', async () => {
    const large = says('x'.repeat(1024 * 1024))
    const answer = await streamOf(
      streamed(first, finishes(), ...Array.from({ length: 9 }, () => large), usageBlock(), DONE),
    )
    await expectFailed(answer, first, 'provider_too_large')
  })
})

describe('a provider that ignores the stream option', () => {
  test('answers a stream in one piece: it is passed on unchanged and charged', async () => {
    const answer = await streamOf(whole({ model: PROVIDER_MODEL, usage: { prompt_tokens: 1, completion_tokens: 1 } }))
    expect(answer.json).toMatchObject({ model: 'svc/chat-default' })
    await expectCharged(answer, { tokensIn: 1, tokensOut: 1 })
  })

  test('streams a plain call: 503, not charged', async () => {
    gateway.provider.next(streamed(says('Good day.'), finishes(), usageBlock(), DONE))
    const answer = await gateway.chat(chatBody())
    expect(answer.status).toBe(503)
    expect(await gateway.ending(callIdOf(answer))).toMatchObject({ type: 'CallFailed', data: { reason: 'no_usage' } })
  })
})
