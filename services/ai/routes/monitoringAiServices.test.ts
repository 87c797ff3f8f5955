import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { type AiApp, startAiApp } from '../../../test/support/harness/aiApp.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { Operations } from '../models/operations.ts'

const PATH = '/monitoring/ai-services'

let ai: AiApp
beforeAll(async () => {
  const clock = new ManualClock(Date.UTC(2026, 2, 1, 10))
  const operations = new Operations(createMetrics(), clock)
  const nothing = { ms: 1, tokensIn: 0, tokensOut: 0 }
  operations.begin('cv_profile', 'extract')({ ...nothing, failure: null })
  operations.begin('cv_profile', 'extract')({ ...nothing, failure: { reason: 'invalid', message: 'older' } })
  await clock.advance(1_000)
  operations.begin('job_posting', 'extract')({ ...nothing, failure: { reason: 'unreachable', message: 'newer' } })
  ai = await startAiApp({
    models: {
      breakerStates: () => ({ chat: 'closed', extract: 'open', embed: 'closed' }),
      integrations: () => [
        { service: 'chat', alias: 'svc/chat-default', state: 'closed', cooldownLeftMs: 0, providers: ['one', 'two'] },
        { service: 'extract', alias: 'svc/extract-default', state: 'open', cooldownLeftMs: 42_000, providers: [] },
      ],
      operations,
    },
  })
})
afterAll(() => ai.close())

test('200 with the breaker, the providers, the calls and the newest failure of each service', async () => {
  const { status, json } = await ai.get(PATH)
  expect([status, json.services]).toEqual([
    200,
    [
      {
        ...{ name: 'chat', status: 'healthy', circuit_breaker: 'closed', rest_ms: 0, alias: 'svc/chat-default' },
        ...{ providers: ['one', 'two'], calls: 0, failures: 0, last_failure: null },
      },
      {
        ...{ name: 'extract', status: 'degraded', circuit_breaker: 'open', rest_ms: 42_000 },
        ...{ alias: 'svc/extract-default', providers: [], calls: 3, failures: 2 },
        last_failure: { at: '2026-03-01T10:00:01.000Z', reason: 'unreachable', message: 'newer' },
      },
    ],
  ])
})

test('401 without the internal token', async () => {
  expect((await ai.send(PATH)).status).toBe(401)
})
