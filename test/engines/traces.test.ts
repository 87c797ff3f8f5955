import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { aPrefix } from '../support/eventStoreServer.ts'
import { describeWithEventStore } from '../support/eventStoreSuite.ts'
import { beginStack, type Stack } from '../support/stack.ts'
import { type CollectedSpan, startTraceCollector } from '../support/traceCollector.ts'
import { until } from '../support/until.ts'

const START_MS_MAX = 120_000
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER_SPAN = '00f067aa0ba902b7'
/** Read models that a charged call changes. */
const MODELS = ['calls', 'credit-balances', 'credit-transactions']

describeWithEventStore('a stack of processes on EventStoreDB and Kafka', (eventStoreUrl) => {
  let collector: Awaited<ReturnType<typeof startTraceCollector>>
  let database: TestDatabase
  let stack: Stack

  beforeAll(async () => {
    const kafka = inject('kafka')
    if ('missing' in kafka) throw new Error(kafka.missing)
    collector = await startTraceCollector()
    database = await createTestDatabase()
    stack = await beginStack([], {
      ...{ SANDBOX: '1', DATABASE_URL: database.url, KAFKA_BROKERS: kafka.address },
      ...{ EVENTSTORE_URL: eventStoreUrl, EVENTSTORE_PREFIX: aPrefix() },
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    })
    await stack.ready()
  }, START_MS_MAX)
  afterAll(async () => {
    await stack?.stop()
    await database?.drop()
    await collector?.close()
  }, START_MS_MAX)

  test("a call is one trace from its caller through the gateway's, the relay's and the projector's process", async () => {
    const { gatewayUrl, apiKey } = await stack.demo()
    const answer = await fetch(`${gatewayUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        traceparent: `00-${TRACE}-${CALLER_SPAN}-01`,
      },
      body: JSON.stringify({ model: 'svc/chat-default', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    expect(answer.status, await answer.text()).toBe(200)
    const ofCall = () => collector.spans.filter(({ traceId }) => traceId === TRACE)
    const find = (service: string, name: string) =>
      ofCall().find((span) => span.name === name && span.resource['service.name'] === `tollgate-${service}`)
    const sent = (service: string, name: string): Promise<CollectedSpan> =>
      until(`${service} has sent ${name}`, () => find(service, name))

    const request = await sent('gateway', 'POST /llm/v1/chat/completions')
    expect(request).toMatchObject({ parentSpanId: CALLER_SPAN, kind: 2, isError: false })
    expect(await sent('gateway', 'admission')).toMatchObject({ parentSpanId: request.spanId })
    const provider = await until('the provider span is sent', () =>
      ofCall().find(({ name }) => name.startsWith('chat ')),
    )
    expect(provider).toMatchObject({ parentSpanId: request.spanId, kind: 3 })
    const append = await sent('gateway', 'append ledger')
    expect(append).toMatchObject({ parentSpanId: request.spanId, kind: 4 })
    const publish = await sent('relay', 'publish ledger')
    expect(publish).toMatchObject({ parentSpanId: append.spanId, kind: 4 })
    // A consumer that joins late reads from the store what Kafka has brought the others.
    const brought = [append.spanId, publish.spanId]
    for (const name of ['feed ledger', ...MODELS.map((model) => `project ${model}`)]) {
      const span = await sent('projector', name)
      expect(span.kind).toBe(5)
      expect(brought).toContain(span.parentSpanId)
    }
    const log = await readFile(join(stack.dataDir, 'logs', 'tollgate.log'), 'utf8')
    const lines = log.split('\n').filter((line) => line.includes(TRACE))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'call', traceId: TRACE }])
  })
})
