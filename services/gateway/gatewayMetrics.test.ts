import { expect, test } from 'vitest'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { GatewayError } from './gatewayError.ts'
import { GatewayMetrics } from './gatewayMetrics.ts'

const charged = { alias: 'svc/chat-default', provider: 'first', outcome: 'charged' } as const

test('each call is counted once, in the next scrape after it', async () => {
  const registry = createMetrics()
  const metrics = new GatewayMetrics(registry)
  let inFlight = 7
  metrics.observeInFlight(() => inFlight)
  const metric = async (line: string) => (await registry.metrics()).split('\n').find((one) => one.startsWith(line))

  const cost = { micros: 30_000n, currency: 'usd' }
  metrics.callEnded({ ...charged, ms: 30, usage: { tokensIn: 10, tokensOut: 5 }, micros: 1_250_000n, cost })
  metrics.added('svc/chat-default', 3)
  metrics.callEnded({ ...charged, ms: 3_000, usage: { tokensIn: 1, tokensOut: 2 }, micros: 1n, cost })
  metrics.callEnded({ ...charged, outcome: 'failed', ms: 1, reason: 'provider_cut' })
  const route = 'alias="svc/chat-default",provider="first"'
  const calls = `tollgate_calls_total{${route},outcome=`
  const durations = 'tollgate_call_duration_seconds'
  expect(await metric(`${calls}"charged"}`)).toMatch(/ 2$/)
  expect(await metric(`${calls}"charged"}`)).toMatch(/ 2$/)
  expect(await metric(`${calls}"failed"}`)).toMatch(/ 1$/)
  expect(await metric(`tollgate_call_failures_total{${route},reason="provider_cut"}`)).toMatch(/ 1$/)
  expect(await metric(`tollgate_call_tokens_total{${route},direction="in"}`)).toMatch(/ 11$/)
  expect(await metric(`tollgate_call_tokens_total{${route},direction="out"}`)).toMatch(/ 7$/)
  expect(await metric(`tollgate_call_credits_total{${route}}`)).toMatch(/ 1\.250001$/)
  expect(await metric(`tollgate_call_cost_total{${route},currency="usd"}`)).toMatch(/ 0\.06$/)
  const added = 'tollgate_call_added_seconds_bucket'
  expect(await metric(`${added}{le="0.0025",alias="svc/chat-default"}`)).toMatch(/ 0$/)
  expect(await metric(`${added}{le="0.003",alias="svc/chat-default"}`)).toMatch(/ 1$/)
  expect(await metric(`${durations}_bucket{le="0.1",alias="svc/chat-default"}`)).toMatch(/ 2$/)
  expect(await metric(`${durations}_count`)).toMatch(/ 3$/)
  expect(await metric('tollgate_gateway_requests_in_flight')).toMatch(/ 7$/)

  inFlight = 0
  metrics.callEnded({ ...charged, ms: 30, usage: { tokensIn: 1, tokensOut: 1 } })
  expect(await metric(`${calls}"charged"}`)).toMatch(/ 3$/)
  expect(await metric('tollgate_gateway_requests_in_flight')).toMatch(/ 0$/)
})

test('durations do not accumulate without limit while nothing scrapes', async () => {
  const registry = createMetrics()
  const metrics = new GatewayMetrics(registry)
  for (let n = 0; n < 25_000; n++) metrics.callEnded({ ...charged, ms: 1 })
  expect(await registry.metrics()).toContain(
    'tollgate_calls_total{alias="svc/chat-default",provider="first",outcome="charged"} 25000',
  )
})

test('a call without a provider has the provider "none", and neither tokens nor credits', async () => {
  const registry = createMetrics()
  const metrics = new GatewayMetrics(registry)
  metrics.callEnded({ ...charged, provider: null, outcome: 'failed', ms: 1, reason: 'client_left' })
  const text = await registry.metrics()
  expect(text).toContain('tollgate_calls_total{alias="svc/chat-default",provider="none",outcome="failed"} 1')
  expect(text).not.toContain('tollgate_call_tokens_total{')
  expect(text).not.toContain('tollgate_call_credits_total{')
})

test('outcomes that have not happened are 0, so that Prometheus sees the first one as an increase', async () => {
  const registry = createMetrics()
  const metrics = new GatewayMetrics(registry)
  metrics.callEnded({ ...charged, ms: 1 })
  const text = await registry.metrics()
  const route = 'alias="svc/chat-default",provider="first"'
  for (const outcome of ['failed', 'uncertain']) {
    expect(text).toContain(`tollgate_calls_total{${route},outcome="${outcome}"} 0\n`)
  }
  expect(text).toContain(`tollgate_provider_usage_beyond_bound_total{${route}} 0\n`)
})

test('refusals are counted by the status that the caller gets and by a code, also those without one for callers', async () => {
  const registry = createMetrics()
  const metrics = new GatewayMetrics(registry)
  metrics.refused(new GatewayError('unauthenticated', 'no key'))
  metrics.refused(new GatewayError('unknownRoute', 'no route'))
  metrics.refused(new GatewayError('invalidRequest', 'too large for the model', { status: 413 }))
  const text = await registry.metrics()
  expect(text).toContain('tollgate_gateway_refusals_total{status="401",code="unauthenticated"} 1\n')
  expect(text).toContain('tollgate_gateway_refusals_total{status="404",code="unknownRoute"} 1\n')
  expect(text).toContain('tollgate_gateway_refusals_total{status="413",code="INVALID_REQUEST"} 1\n')
})
