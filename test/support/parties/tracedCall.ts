import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Stack } from '../harness/stack.ts'
import { until } from '../time/until.ts'
import type { CollectedSpan, startTraceCollector } from './traceCollector.ts'

const CALLER_SPAN = '00f067aa0ba902b7'
/** Read models that a charged call changes. */
const MODELS = ['calls', 'credit-balances', 'credit-transactions']

type Collector = Awaited<ReturnType<typeof startTraceCollector>>

/** Sends a call to the stack and follows its trace through all processes. */
export async function expectTracedCall(stack: Stack, collector: Collector, usesKafka: boolean): Promise<void> {
  const trace = randomUUID().replaceAll('-', '')
  const { gatewayUrl, apiKey } = await stack.demo()
  const answer = await fetch(`${gatewayUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      traceparent: `00-${trace}-${CALLER_SPAN}-01`,
    },
    body: JSON.stringify({ model: 'svc/chat-default', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(answer.status, await answer.text()).toBe(200)
  const ofCall = () => collector.spans.filter(({ traceId }) => traceId === trace)
  const sent = (service: string, name: string): Promise<CollectedSpan> =>
    until(`${service} has sent ${name}`, () =>
      ofCall().find((span) => span.name === name && span.resource['service.name'] === `tollgate-${service}`),
    )

  const request = await sent('gateway', 'POST /llm/v1/chat/completions')
  expect(request).toMatchObject({ parentSpanId: CALLER_SPAN, kind: 2, isError: false })
  expect(await sent('gateway', 'admission')).toMatchObject({ parentSpanId: request.spanId })
  const provider = await until('the provider span is sent', () => ofCall().find(({ name }) => name.startsWith('chat ')))
  expect(provider).toMatchObject({ parentSpanId: request.spanId, kind: 3 })
  const append = await sent('gateway', 'append ledger')
  expect(append).toMatchObject({ parentSpanId: request.spanId, kind: 4 })
  const publish = usesKafka ? await sent('relay', 'publish ledger') : null
  if (publish) expect(publish).toMatchObject({ parentSpanId: append.spanId, kind: 4 })
  // A consumer that joins late reads from the store what Kafka has brought the others.
  const brought = [append.spanId, ...(publish ? [publish.spanId] : [])]
  for (const name of ['feed ledger', ...MODELS.map((model) => `project ${model}`)]) {
    const span = await sent('projector', name)
    expect(span.kind).toBe(5)
    expect(brought).toContain(span.parentSpanId)
  }
  const lines = await until('the call has its log line', async () => {
    const log = await readFile(join(stack.dataDir, 'logs', 'tollgate.log'), 'utf8')
    const found = log.split('\n').filter((line) => line.includes(trace))
    return found.length > 0 && found
  })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'call', traceId: trace }])
}
