import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, INTERNAL_TOKEN, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { DONE, finishes, says, streamed, streamedThenCut, usageBlock } from '../support/parties/scriptedProvider.ts'
import { steppedClock } from '../support/time/steppedClock.ts'
import { until } from '../support/time/until.ts'

let gateway: GatewayHarness

beforeAll(async () => {
  gateway = await startGatewayHarness({ clock: steppedClock(Date.UTC(2026, 2, 1, 12)) })
})
afterAll(() => gateway.close())

/** One metric by its name and labels; 0 if it has no value yet. */
async function figure(name: string): Promise<number> {
  const { text } = await gateway.call('/metrics', { key: INTERNAL_TOKEN })
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length) ?? 0)
}

test('metrics count a charged call, its tokens, its credits and the latency the gateway added', async () => {
  const names = [
    'tollgate_calls_total{alias="svc/chat-default",provider="vendor-one",outcome="charged"}',
    'tollgate_call_tokens_total{alias="svc/chat-default",provider="vendor-one",direction="in"}',
    'tollgate_call_tokens_total{alias="svc/chat-default",provider="vendor-one",direction="out"}',
    'tollgate_call_credits_total{alias="svc/chat-default",provider="vendor-one"}',
    'tollgate_provider_requests_total{alias="svc/chat-default",provider="vendor-one"}',
    'tollgate_provider_first_byte_seconds_count{alias="svc/chat-default",provider="vendor-one"}',
    'tollgate_call_added_seconds_count{alias="svc/chat-default"}',
    'tollgate_call_duration_seconds_count{alias="svc/chat-default"}',
  ]
  const figures = () => Promise.all(names.map(figure))
  const before = await figures()
  gateway.provider.next(streamed(says('Good day.'), finishes(), usageBlock(), DONE))
  expect((await gateway.chat(chatBody({ stream: true }))).text).toContain(DONE)
  expect((await figures()).map((count, n) => count - (before[n] ?? 0))).toEqual([1, 1_000, 500, 1.25, 1, 1, 1, 1])
})

test('metrics count a broken stream by its reason', async () => {
  gateway.provider.next(streamedThenCut(says('Good ')))
  await gateway.chat(chatBody({ stream: true }))
  expect(await figure('tollgate_stream_aborts_total{reason="provider_cut"}')).toBe(1)
  gateway.provider.next(streamed(says('Good '), new Promise(() => {})))
  const stream = await gateway.stream(chatBody({ stream: true }))
  await stream.saw('Good ')
  stream.leave()
  const left = 'tollgate_stream_aborts_total{reason="client_left"}'
  await until('the gateway has noticed', async () => (await figure(left)) === 1)
})

test('metrics count a refused call by its limit', async () => {
  const hits = (limit: string) => figure(`tollgate_limit_hits_total{limit="${limit}"}`)
  expect(await hits('requests')).toBe(0)
  const busy = await gateway.mintKey(gateway.companyId, { rpm: 1 })
  expect((await gateway.chat(chatBody(), { key: busy.raw })).status).toBe(429)
  expect([await hits('address'), await hits('requests'), await hits('tokens')]).toEqual([0, 1, 0])
  const chatty = await gateway.mintKey(gateway.companyId, { tpm: 1_500 })
  expect((await gateway.chat(chatBody(), { key: chatty.raw })).status).toBe(200)
  await until(
    'its tokens are counted',
    async () => (await gateway.chat(chatBody(), { key: chatty.raw })).status === 429,
  )
  expect([await hits('address'), await hits('tokens')]).toEqual([0, 1])
})

test('metrics show appends in flight', async () => {
  const inFlight = () => figure('tollgate_appends_in_flight')
  const ledger = await gateway.holdLedger()
  const answer = gateway.chat(chatBody())
  await until('the charge is on its way', async () => (await inFlight()) === 1)
  await ledger.release()
  expect((await answer).status).toBe(200)
  await until('it has arrived', async () => (await inFlight()) === 0)
})
