import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { forwardingLog } from '../logger/logger.ts'
import { WatchedExporter } from './watchedExporter.ts'

test('an unavailable collector is logged once a minute, with the number of lost spans', async () => {
  const clock = new ManualClock()
  const lines: string[] = []
  const away: SpanExporter = {
    export: (_spans, done) => done({ code: 1, error: new Error('connect ECONNREFUSED') }),
    shutdown: () => Promise.resolve(),
  }
  const exporter = new WatchedExporter(away, { clock, log: forwardingLog('info', (line) => lines.push(line), clock) })
  const codes: number[] = []
  const send = (spans: number) => exporter.export(new Array<ReadableSpan>(spans), ({ code }) => codes.push(code))
  for (const spans of [3, 4, 5]) send(spans)
  await clock.advance(60_000)
  send(1)
  expect(exporter.isAway).toBe(true)
  expect(codes).toEqual([1, 1, 1, 1])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, spans: 3, reason: 'connect ECONNREFUSED' },
    { level: 40, spans: 10, reason: 'connect ECONNREFUSED' },
  ])
})

test('spans that do not fit into the queue are logged too, and none while the collector keeps up', async () => {
  const clock = new ManualClock()
  const lines: string[] = []
  const taking: SpanExporter = { export: (_spans, done) => done({ code: 0 }), shutdown: () => Promise.resolve() }
  const exporter = new WatchedExporter(taking, { clock, log: forwardingLog('info', (line) => lines.push(line), clock) })
  const queue = exporter.queue(3)
  const end = (spans: number) => {
    for (let n = 0; n < spans; n++) queue.onEnd({} as ReadableSpan)
  }
  end(3)
  exporter.export(new Array<ReadableSpan>(3), () => {})
  end(3)
  expect(lines).toEqual([])
  end(5)
  await clock.advance(60_000)
  end(1)
  const reason = 'spans end faster than the collector takes them'
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, spans: 1, reason },
    { level: 40, spans: 5, reason },
  ])
})
