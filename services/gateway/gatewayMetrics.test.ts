import { expect, test } from 'vitest'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { GatewayMetrics } from './gatewayMetrics.ts'

test('each call is counted once, in the next scrape after it', async () => {
  const registry = createMetrics()
  const metrics = new GatewayMetrics(registry)
  let inFlight = 7
  metrics.observeInFlight(() => inFlight)
  const metric = async (line: string) => (await registry.metrics()).split('\n').find((one) => one.startsWith(line))

  metrics.callEnded('svc/chat-default', 'charged', 30, { tokensIn: 10, tokensOut: 5 }, 1_250_000n)
  metrics.added('svc/chat-default', 3)
  metrics.callEnded('svc/chat-default', 'charged', 3_000, { tokensIn: 1, tokensOut: 2 }, 1n)
  metrics.callEnded('svc/chat-default', 'failed', 1, undefined)
  const calls = 'tollgate_calls_total{alias="svc/chat-default",outcome='
  const durations = 'tollgate_call_duration_seconds'
  expect(await metric(`${calls}"charged"}`)).toMatch(/ 2$/)
  expect(await metric(`${calls}"charged"}`)).toMatch(/ 2$/)
  expect(await metric(`${calls}"failed"}`)).toMatch(/ 1$/)
  expect(await metric('tollgate_call_tokens_total{alias="svc/chat-default",direction="in"}')).toMatch(/ 11$/)
  expect(await metric('tollgate_call_tokens_total{alias="svc/chat-default",direction="out"}')).toMatch(/ 7$/)
  expect(await metric('tollgate_call_credits_total{alias="svc/chat-default"}')).toMatch(/ 1\.250001$/)
  const added = 'tollgate_call_added_seconds_bucket'
  expect(await metric(`${added}{le="0.002",alias="svc/chat-default"}`)).toMatch(/ 0$/)
  expect(await metric(`${added}{le="0.005",alias="svc/chat-default"}`)).toMatch(/ 1$/)
  expect(await metric(`${durations}_bucket{le="0.1",alias="svc/chat-default"}`)).toMatch(/ 2$/)
  expect(await metric(`${durations}_count`)).toMatch(/ 3$/)
  expect(await metric('tollgate_gateway_requests_in_flight')).toMatch(/ 7$/)

  inFlight = 0
  metrics.callEnded('svc/chat-default', 'charged', 30, { tokensIn: 1, tokensOut: 1 })
  expect(await metric(`${calls}"charged"}`)).toMatch(/ 3$/)
  expect(await metric('tollgate_gateway_requests_in_flight')).toMatch(/ 0$/)
})

test('durations do not accumulate without limit while nothing scrapes', async () => {
  const registry = createMetrics()
  const metrics = new GatewayMetrics(registry)
  for (let n = 0; n < 25_000; n++) metrics.callEnded('svc/chat-default', 'charged', 1, undefined)
  expect(await registry.metrics()).toContain('tollgate_calls_total{alias="svc/chat-default",outcome="charged"} 25000')
})
