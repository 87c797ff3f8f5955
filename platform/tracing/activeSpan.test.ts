import { expect, test } from 'vitest'
import { forwardingLog } from '../logger/logger.ts'
import { activeSpan, inSpan, inStep } from './activeSpan.ts'
import type { Span, SpanOptions, Tracing } from './port.ts'

type Begun = Span & { readonly name: string; readonly parent: SpanOptions['parent']; ended: number; failure?: string }

function recordedTracing() {
  const spans: Begun[] = []
  const tracing: Tracing = {
    begin: (name, { parent } = {}) => {
      const span: Begun = {
        ...{ name, parent, traceId: `trace of ${name}`, traceparent: null, ended: 0 },
        set: () => {},
        fail: (reason) => {
          span.failure = reason
        },
        end: () => {
          span.ended++
        },
      }
      spans.push(span)
      return span
    },
    close: () => Promise.resolve(),
  }
  return { tracing, spans }
}

test('a step inside a span is its child, however many asynchronous calls are in between', async () => {
  const { tracing, spans } = recordedTracing()
  await inSpan(tracing, 'request', {}, async () => {
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([inStep('one', {}, async () => {}), inStep('two', {}, async () => {})])
  })
  const [request, one, two] = spans
  expect(spans.map(({ name, ended }) => [name, ended])).toEqual([
    ['request', 1],
    ['one', 1],
    ['two', 1],
  ])
  expect([one?.parent, two?.parent]).toEqual([request, request])
  expect(activeSpan()).toBeUndefined()
})

test('work that fails ends its span as failed, and its error is passed on', async () => {
  const { tracing, spans } = recordedTracing()
  const failing = inSpan(tracing, 'request', {}, () => Promise.reject(new TypeError('a secret')))
  await expect(failing).rejects.toThrow('a secret')
  expect(spans).toMatchObject([{ failure: 'TypeError', ended: 1 }])
})

test('without tracing, and outside of spans, the work is done without a span', async () => {
  expect(await inSpan(null, 'request', {}, (span) => [span, activeSpan()])).toEqual([undefined, undefined])
  expect(await inStep('step', {}, (span) => span)).toBeUndefined()
})

test('lines logged in a span have its trace id, others have none, and no line has fields of another', async () => {
  const { tracing } = recordedTracing()
  const lines: Record<string, unknown>[] = []
  const log = forwardingLog('info', (line) => lines.push(JSON.parse(line)))
  log.info({ before: 1 }, 'outside')
  await inSpan(tracing, 'request', {}, async () => log.info({ within: 1 }, 'inside'))
  log.info('outside again')
  expect(lines.map(({ time: _, level: __, ...line }) => line)).toEqual([
    { before: 1, msg: 'outside' },
    { within: 1, traceId: 'trace of request', msg: 'inside' },
    { msg: 'outside again' },
  ])
})
