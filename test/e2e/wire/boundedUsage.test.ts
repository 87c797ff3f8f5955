import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, call, callIdOf, chatBody } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, INTERNAL_TOKEN, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import {
  chunk,
  completion,
  DONE,
  finishes,
  says,
  streamed,
  streamedThenCut,
  USAGE,
  usageBlock,
  whole,
} from '../../support/parties/scriptedProvider.ts'
import { until } from '../../support/time/until.ts'
import { answering, EMPTY_CV, PARSE_CV } from '../parsingRequests.ts'

/** More usage than a small request can have. */
const ABSURD = { prompt_tokens: 100_000_000, completion_tokens: 100_000_000 }
const CONTEXT_LENGTH_DEFAULT = 1_000_000
const ADDED_BY_PROVIDERS = 4_096

let gateway: GatewayHarness
beforeAll(async () => {
  gateway = await startGatewayHarness({ credits: '100000000' })
})
afterEach(async () => {
  // A complete answer resets the failure count.
  await gateway.chat(chatBody())
})
afterAll(() => gateway.close())

const bytesOf = (body: object) => Buffer.byteLength(JSON.stringify(body))
const endOf = async (answer: Answer) => (await gateway.ending(callIdOf(answer))).data
const metric = async (name: string) => {
  const { text } = await call(gateway.url, '/metrics', { key: INTERNAL_TOKEN })
  return text.split('\n').filter((line) => line.startsWith(name))
}

describe('impossible usage of a provider is capped at the bound', () => {
  test('for an answer in one piece, with its body, the log and a metric', async () => {
    gateway.provider.next(whole(completion({ usage: ABSURD })))
    const body = chatBody()
    const answer = await gateway.chat(body)
    expect(answer.status).toBe(200)
    const bound = { tokensIn: bytesOf(body) + ADDED_BY_PROVIDERS, tokensOut: CONTEXT_LENGTH_DEFAULT }
    expect(await endOf(answer)).toMatchObject(bound)
    const line = await until('the log has it', () => {
      const lines = readFileSync(gateway.logFile, 'utf8').split('\n')
      return lines.find((each) => each.includes(callIdOf(answer)) && each.includes('beyond'))
    })
    expect(JSON.parse(line)).toMatchObject({
      ...{ level: 50, alias: 'svc/chat-default', provider: 'vendor-one', bound },
      reported: { tokensIn: 100_000_000, tokensOut: 100_000_000 },
    })
    expect(await metric('tollgate_provider_usage_beyond_bound_total')).toEqual([
      expect.stringMatching(/\{alias="svc\/chat-default",provider="vendor-one"\} 1$/),
    ])
  })

  test('if only input or output exceeds it, the other one is unchanged', async () => {
    gateway.provider.next(whole(completion({ usage: { ...USAGE, prompt_tokens: 5_000_000 } })))
    gateway.provider.next(whole(completion({ usage: { ...USAGE, completion_tokens: 5_000_000 } })))
    const body = chatBody()
    expect(await endOf(await gateway.chat(body))).toMatchObject({
      ...{ tokensIn: bytesOf(body) + ADDED_BY_PROVIDERS, tokensOut: 500 },
    })
    expect(await endOf(await gateway.chat(body))).toMatchObject({ tokensIn: 1_000, tokensOut: CONTEXT_LENGTH_DEFAULT })
  })

  test('exactly at the bound nothing is wrong', async () => {
    const body = chatBody({ n: 2 })
    const most = { prompt_tokens: bytesOf(body) + ADDED_BY_PROVIDERS, completion_tokens: 2 * CONTEXT_LENGTH_DEFAULT }
    const before = await metric('tollgate_provider_usage_beyond_bound_total')
    gateway.provider.next(whole(completion({ usage: most })))
    expect(await endOf(await gateway.chat(body))).toMatchObject({
      ...{ tokensIn: most.prompt_tokens, tokensOut: most.completion_tokens },
    })
    expect(await metric('tollgate_provider_usage_beyond_bound_total')).toEqual(before)
  })

  test('each image of the request adds to it', async () => {
    const image = { type: 'image_url', image_url: { url: 'https://images.example/a.png' } }
    const content = [{ type: 'text', text: 'Compare.' }, image, image]
    const body = chatBody({ messages: [{ role: 'user', content }] })
    gateway.provider.next(whole(completion({ usage: { ...USAGE, prompt_tokens: 1_000_000 } })))
    const tokensIn = bytesOf(body) + ADDED_BY_PROVIDERS + 2 * 2_000
    expect(await endOf(await gateway.chat(body))).toMatchObject({ tokensIn })
  })

  test.each([
    ['a stream', streamed(says('Good day.'), finishes(), usageBlock(ABSURD), DONE)],
    [
      'a stream with the usage in its last chunk',
      streamed(
        says('Good day.'),
        chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: ABSURD }),
        DONE,
      ),
    ],
    ['a stream that breaks off after its usage', streamedThenCut(says('Good day.'), finishes(), usageBlock(ABSURD))],
  ])('for %s', async (_, script) => {
    gateway.provider.next(script)
    const body = chatBody({ stream: true })
    const answer = await gateway.chat(body)
    const tokensIn = bytesOf(body) + ADDED_BY_PROVIDERS
    expect(await endOf(answer)).toMatchObject({ tokensIn, tokensOut: CONTEXT_LENGTH_DEFAULT })
  })

  test('for every prompt and choice of a legacy completion', async () => {
    gateway.provider.next(whole(completion({ usage: ABSURD })))
    const body = { model: 'svc/chat-default', prompt: ['a', 'b'], best_of: 3 }
    const answer = await gateway.call('/llm/v1/completions', { body })
    expect(await endOf(answer)).toMatchObject({
      ...{ tokensIn: bytesOf(body) + ADDED_BY_PROVIDERS, tokensOut: 6 * CONTEXT_LENGTH_DEFAULT },
    })
  })

  test('for embeddings', async () => {
    gateway.provider.next(whole({ object: 'list', data: [], usage: { prompt_tokens: 100_000_000 } }))
    const body = { model: 'svc/embed-default', input: 'Good day.' }
    const answer = await gateway.call('/llm/v1/embeddings', { body })
    expect(await endOf(answer)).toMatchObject({ tokensIn: bytesOf(body) + ADDED_BY_PROVIDERS, tokensOut: 0 })
  })

  test('for each question of a parse call', async () => {
    gateway.provider.next(whole(answering({ wrong: true }, ABSURD)))
    gateway.provider.next(whole(answering(EMPTY_CV, ABSURD)))
    const answer = await gateway.call(PARSE_CV, { body: { text: 'Ada Example, engineer' } })
    expect(answer.status).toBe(200)
    const sentBytes = gateway.provider.calls.slice(-2).map(({ body }) => body.length + ADDED_BY_PROVIDERS)
    expect(await endOf(answer)).toMatchObject({
      ...{ tokensIn: (sentBytes[0] ?? 0) + (sentBytes[1] ?? 0), tokensOut: 2 * CONTEXT_LENGTH_DEFAULT },
    })
  })

  test('for a report above what a call on the ledger may have', async () => {
    const usage = { prompt_tokens: Number.MAX_SAFE_INTEGER, completion_tokens: Number.MAX_SAFE_INTEGER }
    gateway.provider.next(whole(completion({ usage })))
    const body = chatBody({ n: 128 })
    // This many tokens would use up the limit per minute of the other tests.
    const key = await gateway.mintKey()
    expect(await endOf(await gateway.chat(body, { key: key.raw }))).toMatchObject({
      ...{ tokensIn: bytesOf(body) + ADDED_BY_PROVIDERS, tokensOut: 100_000_000 },
    })
  })
})

test('a provider that reports impossible usage five times in a row is no longer called', async () => {
  for (let n = 0; n < 5; n++) {
    gateway.provider.next(whole(completion({ usage: ABSURD })))
    expect((await gateway.chat(chatBody())).status).toBe(200)
  }
  const before = gateway.provider.calls.length
  expect((await gateway.chat(chatBody())).status).toBe(503)
  expect(gateway.provider.calls.length).toBe(before)
})
