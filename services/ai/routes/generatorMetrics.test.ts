import { expect, test } from 'vitest'
import type { GeneratorFigures } from '../../../capabilities/generator/publishedFigures.ts'
import { STOPPED, startAiApp } from '../../../test/support/harness/aiApp.ts'

const PATH = '/api/v1/background-tasks/match-score-generator/metrics'
const generatorWith = (changes: Partial<GeneratorFigures>) => {
  const figures = async () => ({ ...STOPPED, ...changes })
  return { start: figures, stop: figures, figures }
}

test('200 with the metrics since the last start', async () => {
  const ai = await startAiApp({
    generator: generatorWith({
      ...{ processed: 90, errors: 10, avgMs: 2.5, queueSize: 4, perMinute: 60, perSecond: 1, errorPercent: 10 },
      lastProcessedAtMs: Date.UTC(2026, 2, 1, 10),
    }),
  })
  const { status, json } = await ai.get(PATH)
  expect([status, json]).toEqual([
    200,
    {
      ...{ total_processed: 90, total_errors: 10, avg_processing_time_ms: 2.5, queue_depth: 4 },
      ...{ throughput_per_minute: 60, processing_rate: 1, error_rate: 10 },
      last_processed_at: '2026-03-01T10:00:00.000Z',
      circuit_breaker_state: 'CLOSED',
    },
  ])
  await ai.close()
})

test.each([
  ['open', 'OPEN'],
  ['half-open', 'HALF-OPEN'],
] as const)('200 with the breaker state in upper case: %s', async (breaker, expected) => {
  const ai = await startAiApp({ generator: generatorWith({ breaker }) })
  expect((await ai.get(PATH)).json).toMatchObject({ circuit_breaker_state: expected, last_processed_at: null })
  await ai.close()
})

test('401 without the internal token', async () => {
  const ai = await startAiApp()
  expect((await ai.send(PATH)).status).toBe(401)
  await ai.close()
})

test('503 with retry-after while the database or the event store does not answer', async () => {
  const figures = () => Promise.reject(new Error('connection refused'))
  const ai = await startAiApp({ generator: { start: figures, stop: figures, figures } })
  const { status, headers } = await ai.get(PATH)
  expect([status, headers['retry-after']]).toEqual([503, '5'])
  await ai.close()
})
