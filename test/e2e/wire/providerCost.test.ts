import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProviderCost } from '../../../domain/pricing/providerCost.ts'
import { type Answer, callIdOf, chatBody } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import {
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
import { answering, EMPTY_CV, PARSE_CV } from '../parsingRequests.ts'

/** Dollars for a million tokens: 2.50 in, 0.25 cached, 10 out. */
const COST: ProviderCost = {
  currency: 'usd',
  price: { rates: { input: '2500000', cachedInput: '250000', output: '10000000' } },
}
const FIRST = { name: 'vendor-first', cost: COST }
const SECOND = { name: 'vendor-second', cost: { ...COST, price: { ...COST.price, callMicros: '11' } } }
const CACHED = { ...USAGE, prompt_tokens_details: { cached_tokens: 400 } }
const UNKNOWN = { costMicros: null, costCurrency: null, tokensCached: null, tokensCacheWrite: null }

let gateway: GatewayHarness
beforeAll(async () => {
  gateway = await startGatewayHarness({ providers: [FIRST, SECOND] })
})
afterAll(() => gateway.close())

const endOf = async (answer: Answer) => (await gateway.ending(callIdOf(answer))).data

describe('the ledger records the provider of a call, its cost and its cached tokens', () => {
  test('for an answer in one piece', async () => {
    gateway.provider.next(whole(completion({ usage: CACHED })))
    const answer = await gateway.chat(chatBody())
    // The price has no rate for cached tokens, so they cost as much as other input.
    expect(answer.headers['x-credits-charged']).toBe('1.25')
    expect(await endOf(answer)).toMatchObject({
      ...{ label: null, provider: 'vendor-first', costMicros: '6600', costCurrency: 'usd' },
      ...{ tokensIn: 1_000, tokensCached: 400, tokensCacheWrite: null },
    })
  })

  test('for a stream', async () => {
    gateway.provider.next(streamed(says('Good day.'), finishes(), usageBlock(CACHED), DONE))
    const answer = await gateway.chat(chatBody({ stream: true }))
    expect(answer.text.endsWith(DONE)).toBe(true)
    expect(await endOf(answer)).toMatchObject({ provider: 'vendor-first', costMicros: '6600', tokensCached: 400 })
  })

  test('for the second provider, if the first one did not answer', async () => {
    gateway.provider.next(whole('{}', { status: 503 }))
    const answer = await gateway.chat(chatBody())
    expect(await endOf(answer)).toMatchObject({ provider: 'vendor-second', costMicros: '7511', tokensCached: null })
  })

  test('for both questions of a parse call', async () => {
    gateway.provider.next(whole(answering({ wrong: true })))
    gateway.provider.next(whole(answering(EMPTY_CV)))
    const answer = await gateway.call(PARSE_CV, { body: { text: 'Ada Example, engineer' } })
    expect(answer.status).toBe(200)
    expect(await endOf(answer)).toMatchObject({ provider: 'vendor-first', costMicros: '15000', tokensIn: 2_000 })
  })

  test('for a parse call that failed after its provider was paid', async () => {
    for (let n = 0; n < 2; n++) gateway.provider.next(whole(answering({ wrong: true })))
    const answer = await gateway.call(PARSE_CV, { body: { text: 'Ada Example, engineer' } })
    expect(answer.status).toBe(502)
    expect(await endOf(answer)).toMatchObject({ reason: 'parse_invalid', costMicros: '15000', tokensAbandoned: null })
  })

  test('for a stream that broke off, without a cost: none was reported', async () => {
    gateway.provider.next(streamedThenCut(says('Good')))
    const answer = await gateway.chat(chatBody({ stream: true }))
    expect(await endOf(answer)).toMatchObject({ reason: 'provider_cut', provider: 'vendor-first', ...UNKNOWN })
  })

  test('for a call that no provider answered: the last one that was asked', async () => {
    for (let n = 0; n < 2; n++) gateway.provider.next(whole('{}', { status: 503 }))
    const answer = await gateway.chat(chatBody())
    expect(answer.status).toBe(503)
    expect(await endOf(answer)).toMatchObject({ reason: 'provider_503', provider: 'vendor-second', ...UNKNOWN })
  })
})

test('no caller sees provider or cost', async () => {
  const answers = [
    await gateway.chat(chatBody()),
    await gateway.call('/llm/v1/usage?group_by=alias'),
    await gateway.call('/llm/v1/models'),
  ]
  const seen = JSON.stringify(answers.map(({ headers, text }) => [headers, text]))
  expect(seen).not.toMatch(/vendor-first|vendor-second|cost|provider/i)
})
