import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { hasPassed } from '../../projections/runner/readAfterWrite.ts'
import { type Answer, callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import {
  DONE,
  finishes,
  PROVIDER_KEY,
  PROVIDER_MODEL,
  says,
  streamed,
  USAGE,
  usageBlock,
  whole,
} from '../support/parties/scriptedProvider.ts'
import { type CollectedSpan, startTraceCollector } from '../support/parties/traceCollector.ts'
import { until } from '../support/time/until.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const UNSAMPLED = '1af7651916cd43dd8448eb211c80319c'
const REFUSED = '2af7651916cd43dd8448eb211c80319c'
const FAILED = '3af7651916cd43dd8448eb211c80319c'
const STREAMED = '4af7651916cd43dd8448eb211c80319c'
const MISTAKEN = '5af7651916cd43dd8448eb211c80319c'
const LOOKED_UP = '6af7651916cd43dd8448eb211c80319c'
const CALLER_SPAN = 'b7ad6b7169203331'
const LEDGER_MODELS = PROJECTIONS.filter(
  ({ categories, skips }) => categories.includes('ledger') && !skips?.has('CallCharged') && !skips?.has('CallFailed'),
).map(({ name }) => name)

let collector: Awaited<ReturnType<typeof startTraceCollector>>
let gateway: GatewayHarness
let answer: Answer
let storedTraceparents: (string | undefined)[]
let log: string

const inTrace = (traceId: string, flags = '01') => ({
  headers: { traceparent: `00-${traceId}-${CALLER_SPAN}-${flags}` },
})

/** All calls are made first; the drain sends their remaining spans, so no test has to wait. */
beforeAll(async () => {
  collector = await startTraceCollector()
  gateway = await startGatewayHarness({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
  const messages = [{ role: 'user', content: 'the-prompt' }]
  answer = await gateway.chat(chatBody({ messages }), inTrace(TRACE))
  await gateway.call('/llm/v1/calls/an-id-of-a-caller/receipt', { key: 'tg_unknown', ...inTrace(LOOKED_UP) })
  await gateway.call('/llm/v1/no-such-route', { key: 'tg_unknown', ...inTrace(LOOKED_UP) })
  const unsampled = await gateway.chat(chatBody(), inTrace(UNSAMPLED, '00'))
  await gateway.call('/llm/v1/models', { key: 'tg_unknown', ...inTrace(REFUSED) })
  gateway.provider.next(whole({ error: { message: 'the-refusal' } }, { status: 500 }))
  const failed = await gateway.chat(chatBody(), inTrace(FAILED))
  gateway.provider.next(whole({ error: { message: 'the-refusal' } }, { status: 400 }))
  const mistaken = await gateway.chat(chatBody(), inTrace(MISTAKEN))
  const used = usageBlock({ ...USAGE, prompt_tokens_details: { cached_tokens: 300 } })
  gateway.provider.next(streamed(says('Good day'), finishes(), used, DONE))
  const stream = await gateway.chat(chatBody({ stream: true }), inTrace(STREAMED))
  const endings = [answer, unsampled, failed, mistaken, stream].map((each) => gateway.ending(callIdOf(each)))
  storedTraceparents = (await Promise.all(endings)).map(({ metadata }) => metadata.traceparent)
  const { store, database } = gateway.runtime.engines
  const head = await store.head()
  for (const name of LEDGER_MODELS) {
    await until(`${name} is projected`, () => hasPassed(database, name, head, systemClock))
  }
  gateway.flushLog()
  log = readFileSync(gateway.logFile, 'utf8')
  await gateway.close()
  // On a slow machine the drain does not wait for the last spans, which are sent nevertheless.
  const isSent = (traceId: string, name: string) => spansOf(traceId).some((span) => span.name === name)
  await until('the last spans are sent', () =>
    LEDGER_MODELS.every((model) =>
      [TRACE, FAILED, MISTAKEN, STREAMED].every((trace) => isSent(trace, `project ${model}`)),
    ),
  )
})
afterAll(() => collector.close())

const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId)
const namesOf = (spans: readonly CollectedSpan[]) => spans.map(({ name }) => name)
function spanOf(traceId: string, name: string): CollectedSpan {
  const found = spansOf(traceId).find((span) => span.name === name)
  if (!found) throw new Error(`no span ${name} in ${namesOf(spansOf(traceId)).join(', ')}`)
  return found
}

describe('the trace of a charged call', () => {
  const REQUEST = 'POST /llm/v1/chat/completions'
  const PROVIDER = `chat ${PROVIDER_MODEL}`

  test('continues that of its caller through admission, provider, append, feed and every read model', () => {
    const request = spanOf(TRACE, REQUEST)
    expect(request).toMatchObject({ parentSpanId: CALLER_SPAN, kind: 2, isError: false })
    expect(request.resource).toMatchObject({
      'service.name': 'tollgate-gateway',
      'service.instance.id': expect.stringMatching(new RegExp(`:${process.pid}$`)),
    })
    for (const name of ['admission', PROVIDER, 'append ledger']) {
      expect(spanOf(TRACE, name)).toMatchObject({ parentSpanId: request.spanId, isError: false })
    }
    const append = spanOf(TRACE, 'append ledger')
    const isOnKafka = gateway.runtime.config.KAFKA_BROKERS !== undefined
    if (isOnKafka) expect(spanOf(TRACE, 'publish ledger')).toMatchObject({ parentSpanId: append.spanId, kind: 4 })
    // A consumer that joins late reads from the store what Kafka has brought the others.
    const brought = isOnKafka ? [append, spanOf(TRACE, 'publish ledger')] : [append]
    for (const name of ['feed ledger', ...LEDGER_MODELS.map((model) => `project ${model}`)]) {
      const span = spanOf(TRACE, name)
      expect(span.kind).toBe(5)
      expect(brought.map(({ spanId }) => spanId)).toContain(span.parentSpanId)
    }
    const names = namesOf(spansOf(TRACE)).filter((name) => !name.startsWith('publish'))
    expect(new Set(names).size).toBe(names.length)
    expect(spansOf(TRACE).every(({ ms }) => ms >= 0 && ms < 60_000)).toBe(true)
  })

  test("has the GenAI conventions' attributes on the span of the provider", () => {
    expect(spanOf(TRACE, PROVIDER)).toMatchObject({
      kind: 3,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': PROVIDER_MODEL,
        'gen_ai.usage.input_tokens': 1_000,
        'gen_ai.usage.output_tokens': 500,
        'server.address': '127.0.0.1',
        'server.port': expect.any(Number),
      },
    })
    expect(spanOf(TRACE, PROVIDER).attributes['gen_ai.provider.name']).toBeTruthy()
  })

  test('says that the answer was a stream and when it began, for streams only', () => {
    const ofStreams = ['gen_ai.request.stream', 'gen_ai.response.time_to_first_chunk']
    for (const name of ofStreams) expect(spanOf(TRACE, PROVIDER).attributes).not.toHaveProperty([name])
    expect(spanOf(STREAMED, PROVIDER).attributes).toMatchObject({
      'gen_ai.request.stream': true,
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
      'gen_ai.usage.cache_read.input_tokens': 300,
    })
  })

  test('names call, company and key by their ids, and what the call cost', () => {
    expect(spanOf(TRACE, REQUEST).attributes).toMatchObject({
      'tollgate.call.id': callIdOf(answer),
      'tollgate.company.id': gateway.companyId,
      'tollgate.key.id': gateway.key.keyId,
      'tollgate.alias': 'svc/chat-default',
      'tollgate.outcome': 'charged',
      'tollgate.credits': '1.25',
      'http.response.status_code': 200,
    })
  })

  test('is in the metadata of its event and in its log line', () => {
    expect(storedTraceparents[0]).toBe(`00-${TRACE}-${spanOf(TRACE, 'append ledger').spanId}-01`)
    const lines = log.split('\n').filter((line) => line.includes(callIdOf(answer)))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'call', traceId: TRACE }])
  })
})

test('a call whose caller does not sample it has no span and no traceparent on its event', () => {
  expect(spansOf(UNSAMPLED)).toEqual([])
  expect(storedTraceparents[1]).toBeUndefined()
})

test('a request is named by its route, without ids and whatever else callers wrote into the path', () => {
  const requests = namesOf(spansOf(LOOKED_UP)).filter((name) => name !== 'admission')
  expect(requests).toEqual(['GET /llm/v1/calls/:id/receipt', 'GET /llm/v1'])
})

test('a refused request ends its span with the status, and has a log line with the trace', () => {
  expect(namesOf(spansOf(REFUSED)).toSorted()).toEqual(['GET /llm/v1/models', 'admission'])
  expect(spanOf(REFUSED, 'GET /llm/v1/models').attributes).toMatchObject({
    'http.response.status_code': 401,
    'tollgate.refusal.code': 'unauthenticated',
  })
  const lines = log.split('\n').filter((line) => line.includes(REFUSED))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      msg: 'request refused',
      level: 30,
      status: 401,
      code: 'unauthenticated',
      path: '/llm/v1/models',
      traceId: REFUSED,
    },
  ])
})

test('a request that its provider refuses is not a server error, and has the reason', () => {
  expect(spanOf(MISTAKEN, `chat ${PROVIDER_MODEL}`)).toMatchObject({
    isError: true,
    attributes: { 'error.type': 'provider_400' },
  })
  expect(spanOf(MISTAKEN, 'POST /llm/v1/chat/completions')).toMatchObject({
    isError: false,
    attributes: {
      'tollgate.outcome': 'failed',
      'tollgate.reason': 'provider_400',
      'tollgate.refusal.code': 'INVALID_REQUEST',
      'http.response.status_code': 400,
    },
  })
})

test('a provider that fails has a failed span with the reason, and so has the request', () => {
  expect(spanOf(FAILED, `chat ${PROVIDER_MODEL}`)).toMatchObject({
    isError: true,
    attributes: { 'error.type': 'provider_500' },
  })
  expect(spanOf(FAILED, 'POST /llm/v1/chat/completions')).toMatchObject({
    isError: true,
    attributes: {
      'tollgate.outcome': 'failed',
      'error.type': 'provider_500',
      'tollgate.refusal.code': 'LLM_GATEWAY_UNAVAILABLE',
    },
  })
  expect(spanOf(FAILED, 'append ledger').attributes).toMatchObject({ 'tollgate.event.type': 'CallFailed' })
})

test('spans have no prompt, no answer, no key and no text of a provider', () => {
  const sent = collector.text()
  for (const secret of ['the-prompt', 'the-refusal', 'Good day', gateway.key.raw, PROVIDER_KEY]) {
    expect(sent).not.toContain(secret)
  }
})
