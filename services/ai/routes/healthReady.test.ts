import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BreakerState } from '../../../platform/circuitBreaker/circuitBreaker.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { openTestDatabase } from '../../../test/support/databases/openTestDatabase.ts'
import { type AiApp, startAiApp } from '../../../test/support/harness/aiApp.ts'
import type { BackgroundWorker } from '../backgroundWorker.ts'

let database: PostgresDatabase
let close: () => Promise<void>
let ai: AiApp
let extract: BreakerState
let emailStatus: ReturnType<BackgroundWorker['health']>['status']

beforeAll(async () => {
  ;({ database, close } = await openTestDatabase())
  ai = await startAiApp({
    database,
    models: {
      breakerStates: () => ({ chat: 'closed', extract, embed: 'closed' }),
      integrations: () => [],
      operations: { read: () => [] },
    },
    workers: [
      { name: 'match_score_generator', health: () => ({ status: 'healthy', isActive: true }) },
      { name: 'email_worker', health: () => ({ status: emailStatus, isActive: false }) },
      { name: 'meeting_worker', health: () => ({ status: 'healthy', isActive: false }) },
    ],
  })
})
afterAll(async () => {
  await ai.close()
  await close()
})
beforeEach(() => {
  extract = 'closed'
  emailStatus = 'healthy'
})

const WORKERS = {
  match_score_generator: 'healthy',
  email_worker: 'healthy',
  cv_worker: 'stopped',
  document_worker: 'stopped',
}

test('200 with each component; a documented worker that this process does not run is stopped', async () => {
  const { status, json } = await ai.send('/health/ready')
  expect([status, json]).toEqual([
    200,
    {
      status: 'healthy',
      components: {
        database: { status: 'healthy', latency_ms: expect.any(Number) },
        workers: { status: 'healthy', active: 1, idle: 2 },
        circuit_breakers: { chat: 'closed', extract: 'closed', embed: 'closed' },
        ...WORKERS,
      },
    },
  ])
})

test('200 with only statuses in the flat form', async () => {
  expect((await ai.send('/health/ready?form=flat')).json).toEqual({
    status: 'healthy',
    components: { database: 'healthy', ...WORKERS },
  })
})

test.each<BreakerState>(['open', 'half-open'])('200 degraded while a circuit breaker is %s', async (state) => {
  extract = state
  const { status, json } = await ai.send('/health/ready')
  expect([status, json.status, json.components.circuit_breakers.extract]).toEqual([200, 'degraded', state])
})

test('200 degraded while a worker is degraded', async () => {
  emailStatus = 'degraded'
  const { status, json } = await ai.send('/health/ready')
  expect(status).toBe(200)
  expect(json).toMatchObject({
    status: 'degraded',
    components: { workers: { status: 'degraded' }, email_worker: 'degraded' },
  })
})

test('200 degraded while the database does not answer', async () => {
  const alone = await startAiApp()
  const { status, json } = await alone.send('/health/ready')
  expect(status).toBe(200)
  expect(json).toMatchObject({
    status: 'degraded',
    components: { database: { status: 'degraded', latency_ms: null }, workers: { status: 'healthy' } },
  })
  await alone.close()
})

test('400 for an unknown form', async () => {
  expect((await ai.send('/health/ready?form=round')).status).toBe(400)
})
