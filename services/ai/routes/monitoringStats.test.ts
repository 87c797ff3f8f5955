import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Position } from '../../../contracts/position.ts'
import { type AiApp, startAiApp } from '../../../test/support/harness/aiApp.ts'
import { SystemStats } from '../monitoring/systemStats.ts'

const POSITION = '00000000000000000007' as Position
const PATH = '/monitoring/stats'

let ai: AiApp
let stats: SystemStats
beforeAll(async () => {
  stats = new SystemStats({
    readLags: async () => ({
      head: POSITION,
      relay: {
        ...{ feedId: 'feed', position: POSITION, lagEvents: 3, epoch: 2, partitions: {} },
        updatedAt: '2026-03-01T10:00:00.000Z',
      },
      projections: [
        {
          name: 'usage',
          version: 1,
          partitions: [{ partition: 'all', position: POSITION, lagEvents: 4 }],
          lagEvents: 4,
        },
        { name: 'jobs', version: null, partitions: [], lagEvents: null },
      ],
    }),
    readLeases: async () => [{ name: 'relay', holder: 'a host', epoch: 2, msLeft: 1_000 }],
  })
  ai = await startAiApp({ stats })
})
afterAll(async () => {
  stats.close()
  await ai.close()
})

test('200 with the process, the machine, the lags and the leases', async () => {
  const { status, json } = await ai.get(PATH)
  expect(status).toBe(200)
  expect(json).toMatchObject({
    uptime_seconds: expect.any(Number),
    cpu: { cores: expect.any(Number), load_average: [expect.any(Number), expect.any(Number), expect.any(Number)] },
    memory: { rss_bytes: expect.any(Number), machine_total_bytes: expect.any(Number) },
    event_loop_delay_ms: { mean: expect.any(Number), p99: expect.any(Number), max: expect.any(Number) },
    feed: { head: POSITION, relay: { position: POSITION, lag_events: 3, epoch: 2 } },
    projections: [
      { name: 'usage', version: 1, lag_events: 4, partitions: [{ partition: 'all', lag_events: 4 }] },
      { name: 'jobs', version: null, lag_events: null, partitions: [] },
    ],
    leases: [{ name: 'relay', holder: 'a host', epoch: 2, ms_left: 1_000 }],
  })
})

test('401 without the internal token', async () => {
  expect((await ai.send(PATH)).status).toBe(401)
})

test('500 without details if the lags cannot be read', async () => {
  const alone = await startAiApp()
  const { status, json } = await alone.get(PATH)
  expect([status, json]).toEqual([500, { error: 'internal error' }])
  await alone.close()
})
