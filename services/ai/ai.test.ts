import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeLease } from '../../platform/leases/leases.ts'
import type { RunningService } from '../../platform/service.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { type Answer, call } from '../../test/support/harness/gatewayClient.ts'
import { type GatewayHarness, INTERNAL_TOKEN, startGatewayHarness } from '../../test/support/harness/gatewayHarness.ts'
import { until } from '../../test/support/time/until.ts'
import { startAi } from './ai.ts'

let harness: GatewayHarness
let ai: RunningService
let get: (path: string, key?: string) => Promise<Answer>

beforeAll(async () => {
  harness = await startGatewayHarness({ env: { AI_PORT: '0' } })
  ai = await startAi(harness.runtime, {})
  get = (path, key) => call(ai.url ?? '', path, { key: key ?? null })
})
afterAll(async () => {
  await ai.drain(100)
  await harness.close()
})

test('200 for health, liveness and the database without a token', async () => {
  expect((await get('/health')).json).toEqual({ status: 'healthy' })
  expect((await get('/health/live')).json).toEqual({ status: 'alive' })
  // Every service of the harness uses the one pool. While they start, the check may wait for a connection for longer than
  // it has time.
  const database = await until('the database is healthy', async () => {
    const { json } = await get('/health/database')
    return json.status === 'healthy' && json
  })
  const counted = expect.any(Number)
  expect(database).toEqual({
    ...{ status: 'healthy', latency_ms: counted },
    pool: { total: counted, idle: counted, waiting: counted },
  })
})

test('401 for statistics and metrics without the internal token, also with an API key', async () => {
  for (const path of ['/monitoring/stats', '/metrics']) {
    expect((await get(path)).status).toBe(401)
    expect((await get(path, harness.key.raw)).status).toBe(401)
    expect((await get(path, INTERNAL_TOKEN)).status).toBe(200)
  }
})

test('200 with statistics of the process, the machine and the lag of the read models', async () => {
  const { json } = await get('/monitoring/stats', INTERNAL_TOKEN)
  expect(json).toMatchObject({
    uptime_seconds: expect.any(Number),
    cpu: { cores: expect.any(Number), load_average: [expect.any(Number), expect.any(Number), expect.any(Number)] },
    memory: { rss_bytes: expect.any(Number), machine_total_bytes: expect.any(Number) },
    event_loop_delay_ms: { mean: expect.any(Number), p99: expect.any(Number), max: expect.any(Number) },
  })
  const names = json.projections.map(({ name }: { name: string }) => name)
  expect(names).toEqual(PROJECTIONS.map(({ name }) => name))
  await harness.grant(harness.companyId, '1')
  await until('the balances have caught up with the grant', async () => {
    const { projections } = (await get('/monitoring/stats', INTERNAL_TOKEN)).json
    return projections.find(({ name }: { name: string }) => name === 'credit-balances').lag_events === 0
  })
})

test('200 with the lag of each consumer by partition, and the holder of each lease', async () => {
  const { database } = harness.runtime.engines
  await takeLease(database, 'relay', 'a host', 60_000)
  const { json } = await get('/monitoring/stats', INTERNAL_TOKEN)
  expect(json.feed).toEqual({ head: await harness.runtime.engines.store.head(), relay: null })
  expect(json.projections[0]).toEqual({
    name: 'credit-balances',
    version: creditBalances.version,
    lag_events: expect.any(Number),
    partitions: [{ partition: 'all', position: expect.any(String), lag_events: expect.any(Number) }],
  })
  expect(json.leases).toContainEqual({ name: 'relay', holder: 'a host', epoch: 1, ms_left: expect.any(Number) })
})

test('the lag of every consumer is a metric, which is absent while it cannot be read', async () => {
  const { database } = harness.runtime.engines
  const lagOf = async (consumer: string) => {
    const { text } = await get('/metrics', INTERNAL_TOKEN)
    const line = text.split('\n').find((one) => one.startsWith(`tollgate_consumer_lag_events{consumer="${consumer}"`))
    return line === undefined ? null : Number(line.split(' ').at(-1))
  }
  for (const { name } of PROJECTIONS) {
    await until(`${name} has caught up`, async () => (await lagOf(`projector-${name}`)) === 0)
  }
  await database.query('alter table read_models.checkpoints rename to hidden')
  expect(await lagOf('projector-usage')).toBeNull()
  await database.query('alter table read_models.hidden rename to checkpoints')
  expect(await lagOf('projector-usage')).not.toBeNull()
})
