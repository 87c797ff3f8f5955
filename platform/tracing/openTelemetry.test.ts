import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startTraceCollector } from '../../test/support/parties/traceCollector.ts'
import { until } from '../../test/support/time/until.ts'
import { systemClock } from '../clock/clock.ts'
import { readConfig } from '../config/config.ts'
import { systemIds } from '../ids/ids.ts'
import { openLog } from '../logger/logger.ts'
import { openTracing } from './openTracing.ts'
import type { Tracing } from './port.ts'

const REMOTE = '0af7651916cd43dd8448eb211c80319c'
const SAMPLED = `00-${REMOTE}-b7ad6b7169203331-01`
const UNSAMPLED = `00-${REMOTE}-b7ad6b7169203331-00`

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function opened(settings: Readonly<Record<string, string>>): Promise<Tracing> {
  const { log } = openLog({ level: 'silent', file: null })
  const tracing = await openTracing(readConfig(settings), { clock: systemClock, ids: systemIds, log, name: 'test' })
  if (!tracing) throw new Error('tracing is off')
  return tracing
}

async function collected() {
  const collector = await startTraceCollector()
  closers.push(collector.close)
  return collector
}

test('a span is sent when tracing closes, with its parent, attributes and times', async () => {
  const collector = await collected()
  const tracing = await opened({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces` })
  const parent = tracing.begin('parent', { kind: 'server', parent: SAMPLED })
  const child = tracing.begin('child', { parent, attributes: { size: 7, none: undefined, long: 'x'.repeat(1_000) } })
  child.fail('broken')
  child.end()
  child.end()
  parent.end()
  const other = tracing.begin('other', { parent: 'no traceparent', beganAtMs: systemClock.now() + 60_000 })
  other.end()
  await tracing.close()
  // On a slow machine closing does not wait for them, but they are sent.
  await until('the spans are sent', () => collector.spans.length === 3)
  expect(collector.spans.map(({ name }) => name)).toEqual(['child', 'parent', 'other'])
  const [sentChild, sentParent, sentOther] = collector.spans
  expect(sentParent).toMatchObject({ traceId: REMOTE, parentSpanId: 'b7ad6b7169203331', kind: 2, isError: false })
  expect(sentChild).toMatchObject({ traceId: REMOTE, parentSpanId: sentParent?.spanId, isError: true })
  expect(sentChild?.attributes).toEqual({ size: 7, long: 'x'.repeat(256), 'error.type': 'broken' })
  expect(sentOther).toMatchObject({ traceId: other.traceId, parentSpanId: null })
  expect(collector.spans.every(({ ms }) => ms >= 0 && ms < 30_000)).toBe(true)
  expect(parent.traceparent).toBe(`00-${REMOTE}-${sentParent?.spanId}-01`)
})

test.each([
  { sampler: 'parentbased_always_on', sampled: true, unsampled: false, fresh: true },
  { sampler: 'parentbased_always_off', sampled: true, unsampled: false, fresh: false },
  { sampler: 'always_on', sampled: true, unsampled: true, fresh: true },
  { sampler: 'always_off', sampled: false, unsampled: false, fresh: false },
  { sampler: 'traceidratio', arg: '0', sampled: false, unsampled: false, fresh: false },
  { sampler: 'parentbased_traceidratio', arg: '0', sampled: true, unsampled: false, fresh: false },
])('the sampler $sampler decides which spans are sent', async ({ sampler, arg, sampled, unsampled, fresh }) => {
  const tracing = await opened({
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_SAMPLER: sampler },
    ...(arg !== undefined && { OTEL_TRACES_SAMPLER_ARG: arg }),
  })
  const isSampled = (parent?: string) => tracing.begin('span', { parent }).traceparent !== null
  expect([isSampled(SAMPLED), isSampled(UNSAMPLED), isSampled()]).toEqual([sampled, unsampled, fresh])
  await tracing.close()
})

const HUGE = Buffer.alloc(6 * 1024 * 1024)

test.each<[string, RequestListener]>([
  ['never answers', () => {}],
  ['answers 500', (_request, response) => void response.writeHead(500).end('broken')],
  ['answers with megabytes', (_request, response) => void response.writeHead(200).end(HUGE)],
  ['begins an answer and never ends it', (_request, response) => void response.writeHead(200).write('{')],
])('a collector that %s delays neither spans nor the close', async (_what, answer) => {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const tracing = await opened({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, DRAIN_TIMEOUT_MS: '50' })
  for (let n = 0; n < 20_000; n++) tracing.begin('span').end()
  const beganAtMs = performance.now()
  await tracing.close()
  // The exporter itself would wait for 10 s. A busy machine takes seconds to write so many spans.
  expect(performance.now() - beganAtMs).toBeLessThan(9_500)
})
