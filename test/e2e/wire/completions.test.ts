import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusedBody, expectRefusedKeys } from '../../support/callers/inferenceRefusals.ts'
import type { HeldLedger } from '../../support/eventStores/heldLedger.ts'
import { callIdOf, openStream, withoutCost } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import {
  chunk,
  completion,
  DONE,
  PROVIDER_MODEL,
  streamed,
  streamedThenCut,
  USAGE,
  usageBlock,
  whole,
} from '../../support/parties/scriptedProvider.ts'

const COMPLETIONS = '/llm/v1/completions'
let gateway: GatewayHarness
let held: HeldLedger | null = null

beforeAll(async () => {
  gateway = await startGatewayHarness()
})
afterEach(() => held?.release())
afterAll(() => gateway.close())

const requestBody = (changes: object = {}) => ({ model: 'svc/chat-default', prompt: 'Once upon', ...changes })
const complete = (body: object | string, key = gateway.key.raw) => gateway.call(COMPLETIONS, { body, key })
const open = (body: object) => openStream(gateway.url, COMPLETIONS, { key: gateway.key.raw, body })
const received = () => gateway.provider.lastCall().body.toString()

const legacy = (changes: object = {}) =>
  completion({
    id: 'cmpl-1',
    object: 'text_completion',
    choices: [{ index: 0, text: ' a time.', logprobs: null, finish_reason: 'stop' }],
    ...changes,
  })
const says = (text: string, index = 0) =>
  chunk({ object: 'text_completion', choices: [{ index, text, logprobs: null, finish_reason: null }] })
const finishes = (index = 0) =>
  chunk({ object: 'text_completion', choices: [{ index, text: '', logprobs: null, finish_reason: 'length' }] })

describe('a legacy completion', () => {
  test('is passed on with the alias as its model, and charged once under its own endpoint', async () => {
    gateway.provider.next(whole(legacy()))
    const answer = await complete(requestBody())
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ ...legacy(), model: 'svc/chat-default' })
    expect(gateway.provider.lastCall().path).toBe('/v1/completions')
    expect(answer.headers['x-credits-charged']).toBe('1.25')
    expect(await gateway.eventsOf(callIdOf(answer))).toMatchObject([
      {
        type: 'CallCharged',
        data: { endpoint: '/completions', streamed: false, tokensIn: 1_000, tokensOut: 500, amountMicros: '1250000' },
      },
    ])
  })

  test.each([
    ['texts', ['One', 'Two']],
    ['tokens', [7592, 0, 31]],
    ['tokens of several texts', [[7592], [0, 31]]],
    ['nothing', null],
  ])('takes a prompt of %s', async (_, prompt) => {
    gateway.provider.next(whole(legacy()))
    expect((await complete(requestBody({ prompt }))).status).toBe(200)
    expect(JSON.parse(received())).toEqual({ model: PROVIDER_MODEL, prompt })
  })

  test('reaches the provider byte for byte, but for the name of the model', async () => {
    const body = (model: string) =>
      ` {"seed":12345678901234567890123,"temperature":1.0,"top_p":1E-2,"x":-0,"y":1e400,
      "prompt"  : [ "caf\\u00e9 \\ud83d\\ude00 \\/ é", "" ],\t"model":${model},"suffix":null,"a":1,"a":2,
      "10":"later","2":"sooner","logit_bias":{"50256":-1.00e2},"unknown_of_some_provider":{"prompt":"x","model":"mine"}}\n`
    gateway.provider.next(whole(legacy()))
    expect((await complete(body('"svc\\/chat-def\\u0061ult"'))).status).toBe(200)
    expect(received()).toBe(body(`"${PROVIDER_MODEL}"`))
  })

  test('that is streamed requests usage and changes nothing else', async () => {
    gateway.provider.next(streamed(says(' a time.'), finishes(), usageBlock(), DONE))
    const body = (model: string, end: string) => `{"prompt":[1.0,2e1],"model":"${model}","stream" : true${end}}`
    expect((await complete(body('svc/chat-default', ''))).status).toBe(200)
    expect(received()).toBe(body(PROVIDER_MODEL, ',"stream_options":{"include_usage":true}'))
  })

  test.each([
    ['no prompt', { model: 'svc/chat-default' }, /'prompt' is missing/],
    ['a mixed prompt', requestBody({ prompt: ['One', 2] }), /'prompt\[1\]' must be a string/],
    ['best_of of nothing', requestBody({ best_of: 0 }), /'best_of'/],
    [
      'prompt twice',
      '{"model":"svc/chat-default","prompt":"a","pr\\u006fmpt":["b","c"]}',
      /'prompt' occurs more than once/,
    ],
    ['model twice', '{"model":"svc/chat-cheap","prompt":"a","m\\u006fdel":"svc/chat-premium"}', /'model' occurs more/],
  ])('with %s is refused before any provider', async (_, body, message) => {
    await expectRefusedBody(gateway, complete, body, message)
  })

  test('needs the scope inference:chat, a model of the allowlist and a balance', async () => {
    await expectRefusedKeys(gateway, complete, requestBody())
  })

  test('that the provider refuses costs nothing', async () => {
    gateway.provider.next(whole({ error: { message: 'best_of cannot be streamed' } }, { status: 400 }))
    const answer = await complete(requestBody({ stream: true, best_of: 2 }))
    expect(answer.status).toBe(400)
    expect(answer.json.error.message).toBe('best_of cannot be streamed')
    expect(await gateway.ending(callIdOf(answer))).toMatchObject({ type: 'CallFailed' })
  })
})

describe('a streamed legacy completion', () => {
  test('reads as the alias on every chunk, byte for byte otherwise, and is charged by its usage block', async () => {
    const script = [says(' a'), says(' time.'), finishes(), usageBlock(), DONE]
    gateway.provider.next(streamed(...script))
    const stream = await open(requestBody({ stream: true }))
    expect(await stream.ended).toBe('whole')
    expect(withoutCost(stream.text())).toBe(script.join('').replaceAll(PROVIDER_MODEL, 'svc/chat-default'))
    expect(await gateway.eventsOf(callIdOf(stream))).toMatchObject([
      { type: 'CallCharged', data: { endpoint: '/completions', streamed: true, amountMicros: '1250000' } },
    ])
  })

  test('with several prompts and choices holds back the finish_reason of every one', async () => {
    held = await gateway.holdLedger()
    gateway.provider.next(
      streamed(
        says('A', 0),
        finishes(0),
        finishes(1),
        says('B', 2),
        finishes(2),
        says('C', 3),
        finishes(3),
        usageBlock(),
        DONE,
      ),
    )
    const stream = await open(requestBody({ stream: true, prompt: ['One', 'Two'], n: 2 }))
    await stream.saw('"C"')
    await held.anAppendWaits()
    await gateway.call('/llm/v1/models')
    expect(stream.text()).not.toMatch(/"length"|"usage"|DONE/)
    expect(await gateway.eventsOf(callIdOf(stream))).toHaveLength(0)
    await held.release()
    await stream.saw('[DONE]')
    expect(await gateway.eventsOf(callIdOf(stream))).toMatchObject([{ type: 'CallCharged' }])
  })

  test('whose caller leaves after the finish_reason of the first prompt only is read to its end and charged', async () => {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    gateway.provider.next(
      streamed(says('A', 0), finishes(0), says('B', 1), left, says('C', 1), finishes(1), usageBlock(), DONE),
    )
    const stream = await open(requestBody({ stream: true, prompt: [[1, 2], [3]] }))
    await stream.saw('"B"')
    stream.leave()
    await gateway.call('/llm/v1/models')
    leave()
    expect(await gateway.ending(callIdOf(stream))).toMatchObject({ type: 'CallCharged' })
  })

  test('that ends without usage, or is cut, is not charged and has no [DONE]', async () => {
    for (const script of [streamed(says('A'), finishes(), DONE), streamedThenCut(says('A'))]) {
      gateway.provider.next(script)
      const stream = await open(requestBody({ stream: true }))
      await stream.ended
      expect(stream.text()).toContain('LLM_GATEWAY_UNAVAILABLE')
      expect(stream.text()).not.toContain('[DONE]')
      expect(await gateway.ending(callIdOf(stream))).toMatchObject({ type: 'CallFailed' })
    }
  })

  test('that the provider answers in one piece is charged as a plain one', async () => {
    gateway.provider.next(whole(legacy({ usage: { ...USAGE, completion_tokens: 0 } })))
    const answer = await complete(requestBody({ stream: true }))
    expect(answer.headers['x-credits-charged']).toBe('0.5')
  })
})
