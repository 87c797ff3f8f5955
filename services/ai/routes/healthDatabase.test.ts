import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/support/databases/openTestDatabase.ts'
import { startAiApp } from '../../../test/support/harness/aiApp.ts'

test('200 with latency and pool while the database answers', async () => {
  const { database, close } = await openTestDatabase()
  const ai = await startAiApp({ database })
  const { status, json } = await ai.send('/health/database')
  expect([status, json]).toEqual([
    200,
    { status: 'healthy', latency_ms: expect.any(Number), pool: { total: 0, idle: 0, waiting: 0 } },
  ])
  expect((await ai.send('/health/database')).json.pool).toEqual({ total: 1, idle: 1, waiting: 0 })
  await ai.close()
  await close()
})

test('200 degraded while the database does not answer', async () => {
  const ai = await startAiApp()
  const { status, json } = await ai.send('/health/database')
  expect(status).toBe(200)
  expect(json).toMatchObject({ status: 'degraded', latency_ms: null })
  await ai.close()
})
