import { afterAll, beforeAll, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts'
import { aPrefix } from '../support/eventStores/eventStoreServer.ts'
import { describeWithEventStore } from '../support/eventStores/eventStoreSuite.ts'
import { beginStack, type Stack } from '../support/harness/stack.ts'
import { startTraceCollector } from '../support/parties/traceCollector.ts'
import { expectTracedCall } from '../support/parties/tracedCall.ts'

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
  })
  afterAll(async () => {
    await stack?.stop()
    await database?.drop()
    await collector?.close()
  })

  test("a call is one trace from its caller through the gateway's, the relay's and the projector's process", () =>
    expectTracedCall(stack, collector, true))
})
