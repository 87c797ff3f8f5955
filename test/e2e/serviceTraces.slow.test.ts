import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningService } from '../../platform/service.ts'
import { startAi } from '../../services/ai/ai.ts'
import { providersOf } from '../support/harness/aiHarness.ts'
import { call } from '../support/harness/gatewayClient.ts'
import { INTERNAL_TOKEN } from '../support/harness/gatewayHarness.ts'
import { type PaymentHarness, startPaymentHarness } from '../support/harness/paymentHarness.ts'
import { deliver, providerEvent, signed } from '../support/parties/paymentEventDelivery.ts'
import { PROVIDER_KEY, PROVIDER_MODEL } from '../support/parties/scriptedProvider.ts'
import { type CollectedSpan, startTraceCollector } from '../support/parties/traceCollector.ts'
import { until } from '../support/time/until.ts'

const CALLER_SPAN = 'b7ad6b7169203331'
const PACK = '5af7651916cd43dd8448eb211c80319c'
const MEETING = '6af7651916cd43dd8448eb211c80319c'
const traceparent = (traceId: string) => `00-${traceId}-${CALLER_SPAN}-01`

let collector: Awaited<ReturnType<typeof startTraceCollector>>
let shop: PaymentHarness
let ai: RunningService

/** All requests are sent first, because spans are batched for two seconds. */
beforeAll(async () => {
  collector = await startTraceCollector()
  shop = await startPaymentHarness({ env: { AI_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
  ai = await startAi(shop.runtime, providersOf(shop.provider), { pollMs: 20 })
  await Promise.all([addPack(), deliverPaymentEvent(), holdMeeting()])
})
afterAll(async () => {
  await ai.drain(1_000)
  await shop.close()
  await collector.close()
})

const sent = (name: string, fits: (span: CollectedSpan) => boolean): Promise<CollectedSpan> =>
  until(`the span ${name} is sent`, () => collector.spans.find((span) => span.name === name && fits(span)))
const childOf = (name: string, { traceId, spanId }: CollectedSpan) =>
  sent(name, (span) => span.traceId === traceId && span.parentSpanId === spanId)
const hasChild = (name: string, { spanId }: CollectedSpan) =>
  collector.spans.some((span) => span.name === name && span.parentSpanId === spanId)
const rootOf = (name: string, traceId: string) =>
  sent(name, (span) => span.traceId === traceId && span.parentSpanId === CALLER_SPAN)

async function addPack(): Promise<void> {
  const query = 'mutation AddPack($input: CreateCreditPackInput!) { createCreditPack(input: $input) { id } }'
  const input = { name: 'the-name-of-the-pack', credits: 10, price: 10, currency: 'usd', sortOrder: 1 }
  const answer = await fetch(`${shop.url}/graphql`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', authorization: `Bearer ${shop.superAdmin.token}` },
      traceparent: traceparent(PACK),
    },
    body: JSON.stringify({ query, variables: { input } }),
  })
  expect(await answer.json()).toMatchObject({ data: { createCreditPack: { id: expect.any(String) } } })
}

async function deliverPaymentEvent(): Promise<void> {
  const event = providerEvent('customer.subscription.updated', {
    ...{ id: 'sub_unknown', object: 'subscription', status: 'active', customer: 'cus_unknown' },
    ...{ metadata: {}, items: { data: [] } },
  })
  const body = JSON.stringify(event)
  const { status } = await deliver(shop.url, body, signed(body, Math.floor(shop.runtime.clock.now() / 1000)))
  expect(status).toBe(200)
}

async function holdMeeting(): Promise<void> {
  const hook = (what: 'created' | 'destroyed', timestamp: string) =>
    call(ai.url ?? '', `/api/events/room/${what}`, {
      key: INTERNAL_TOKEN,
      headers: { traceparent: traceparent(MEETING) },
      body: { event: `room_${what}`, room: 'the-room', timestamp },
    })
  expect((await hook('created', '2026-03-01T10:00:00.000Z')).status).toBe(200)
  expect((await hook('destroyed', '2026-03-01T10:45:30.000Z')).status).toBe(200)
}

test('a GraphQL mutation is traced from its caller through the payment provider and its event to the read model', async () => {
  const request = await rootOf('POST /graphql', PACK)
  expect(request).toMatchObject({ kind: 2, isError: false, attributes: { 'http.response.status_code': 200 } })
  const operation = await childOf('mutation AddPack', request)
  expect(operation.attributes).toEqual({ 'graphql.operation.type': 'mutation', 'graphql.operation.name': 'AddPack' })
  expect(await childOf('payment POST products', operation)).toMatchObject({ kind: 3, isError: false })
  const append = await childOf('append creditPack', operation)
  expect(append.kind).toBe(4)
  await sent('project credit-packs', ({ traceId }) => traceId === PACK)
})

test('a payment event is traced to what the reactor asks the payment provider', async () => {
  const request = await sent('POST /payments/webhook', ({ parentSpanId }) => parentSpanId === null)
  const append = await childOf('append webhook', request)
  // An attempt that fails, or that finds the event processed already, appends nothing.
  const processing = await sent(
    'process webhook',
    (span) => span.traceId === request.traceId && hasChild('append webhook', span),
  )
  // Over Kafka it continues from the span that published the event.
  if (shop.runtime.config.KAFKA_BROKERS === undefined) expect(processing.parentSpanId).toBe(append.spanId)
  const attempts = () => collector.spans.filter(({ name }) => name === 'process webhook').map(({ spanId }) => spanId)
  await until('the provider was asked', () =>
    collector.spans.find(
      ({ name, parentSpanId }) => name.startsWith('payment GET') && attempts().includes(parentSpanId ?? ''),
    ),
  )
})

test('a hook of the meeting server is traced to the task that follows from it, its model calls and its log lines', async () => {
  const request = await rootOf('POST /api/events/room/destroyed', MEETING)
  await childOf('append meeting', request)
  const task = await sent('task meeting_worker', ({ traceId }) => traceId === MEETING)
  expect(task).toMatchObject({ kind: 5, isError: false })
  const model = await childOf(`chat ${PROVIDER_MODEL}`, task)
  expect(model.attributes).toMatchObject({ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': PROVIDER_MODEL })
  await childOf('append meeting', task)
  const completed = await until('the task has its log line', () => {
    shop.flushLog()
    return readFileSync(shop.logFile, 'utf8')
      .split('\n')
      .find((line) => line.includes('"task completed"'))
  })
  expect(JSON.parse(completed)).toMatchObject({ traceId: MEETING, worker: 'meeting_worker' })
})

test('the spans of backend, reactor and AI service have no query, variable, room, token or key', () => {
  const text = collector.text()
  const secrets = ['the-name-of-the-pack', 'CreateCreditPackInput', 'the-room', 'sub_unknown', 'cus_unknown']
  for (const secret of [...secrets, shop.superAdmin.token, INTERNAL_TOKEN, PROVIDER_KEY]) {
    expect(text).not.toContain(secret)
  }
})
