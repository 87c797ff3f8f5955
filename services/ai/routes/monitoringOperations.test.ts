import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { type AiApp, startAiApp } from '../../../test/support/harness/aiApp.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { Operations } from '../models/operations.ts'

const PATH = '/monitoring/operations'

let ai: AiApp
beforeAll(async () => {
  const operations = new Operations(createMetrics(), new ManualClock(Date.UTC(2026, 2, 1, 10)))
  operations.begin('cv_profile', 'extract')({ ms: 100, tokensIn: 5, tokensOut: 7, failure: null })
  operations.begin(
    'cv_profile',
    'extract',
  )({
    ...{ ms: 300, tokensIn: 1, tokensOut: 0 },
    failure: { reason: 'invalid', message: 'the answer has no text' },
  })
  operations.begin('match_embedding', 'embed')
  ai = await startAiApp({
    models: {
      breakerStates: () => ({ chat: 'closed', extract: 'closed', embed: 'closed' }),
      integrations: () => [],
      operations,
    },
  })
})
afterAll(() => ai.close())

test('200 with the totals and each kind of call', async () => {
  const { status, json } = await ai.get(PATH)
  const none = { succeeded: 0, unreachable: 0, refused: 0, invalid: 0, resting: 0 }
  const at = '2026-03-01T10:00:00.000Z'
  expect([status, json]).toEqual([
    200,
    {
      totals: { ...none, succeeded: 1, invalid: 1 },
      in_progress: 1,
      operations: [
        {
          ...{ kind: 'cv_profile', service: 'extract', in_progress: 0, tokens_in: 6, tokens_out: 7, avg_ms: 200 },
          counts: { ...none, succeeded: 1, invalid: 1 },
          last_at: at,
          last_failure: { at, reason: 'invalid', message: 'the answer has no text' },
        },
        {
          ...{ kind: 'match_embedding', service: 'embed', in_progress: 1, tokens_in: 0, tokens_out: 0, avg_ms: null },
          counts: none,
          last_at: null,
          last_failure: null,
        },
      ],
    },
  ])
})

test('401 without the internal token', async () => {
  expect((await ai.send(PATH)).status).toBe(401)
})
