import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, call } from '../../test/support/gatewayClient.ts'
import { type GatewayHarness, INTERNAL_TOKEN, startGatewayHarness } from '../../test/support/gatewayHarness.ts'
import { openDatabase } from '../platform/postgres/database.ts'
import type { RunningService } from '../platform/service.ts'
import { startBackend } from './backend.ts'

let harness: GatewayHarness
let backend: RunningService
beforeAll(async () => {
  harness = await startGatewayHarness({ env: { BACKEND_PORT: '0' }, projector: false })
  backend = await startBackend(harness.runtime)
})
afterAll(async () => {
  await backend.drain(100)
  await harness.close()
})

const get = (service: RunningService, path: string, key: string | null = null): Promise<Answer> =>
  call(service.url ?? '', path, { key })

test('/health reports the database, the event store and what is shared, /healthz is static, both without a token', async () => {
  expect((await get(backend, '/health')).json).toMatchObject({
    status: 'healthy',
    components: {
      database: { status: 'healthy' },
      event_store: { status: 'healthy' },
      shared_state: { status: 'healthy', gateways: 1 },
    },
  })
  expect((await get(backend, '/healthz')).json).toEqual({ status: 'ok' })
})

test('/health is 200 and says degraded while the database is away: the process runs', async () => {
  const { runtime } = harness
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing' })
  const alone = await startBackend({ ...runtime, engines: { ...runtime.engines, database } })
  const answer = await get(alone, '/health')
  expect(answer.status).toBe(200)
  expect(answer.json).toMatchObject({
    status: 'degraded',
    components: { database: { status: 'degraded', latency_ms: null } },
  })
  expect((await get(alone, '/healthz')).status).toBe(200)
  await alone.drain(100)
  await database.close()
})

test('/health says degraded while the gateways hold their limits each for itself', async () => {
  const { runtime } = harness
  const { sharedState } = runtime.engines
  const health = () => ({ status: 'degraded', gateways: 3, latency_ms: null }) as const
  const alone = await startBackend({
    ...runtime,
    engines: { ...runtime.engines, sharedState: { ...sharedState, health } },
  })
  expect((await get(alone, '/health')).json).toMatchObject({
    status: 'degraded',
    components: { shared_state: health() },
  })
  await alone.drain(100)
})

test('/health says degraded while the event store is away', async () => {
  const { runtime } = harness
  const { store } = runtime.engines
  const away = new Proxy(store, {
    get: (target, name) =>
      name === 'head' ? () => Promise.reject(new Error('away')) : Reflect.get(target, name, target),
  })
  const alone = await startBackend({ ...runtime, engines: { ...runtime.engines, store: away } })
  const answer = await get(alone, '/health')
  expect(answer.status).toBe(200)
  expect(answer.json).toMatchObject({
    status: 'degraded',
    components: { database: { status: 'healthy' }, event_store: { status: 'degraded', latency_ms: null } },
  })
  await alone.drain(100)
})

test('/metrics needs the internal token', async () => {
  expect((await get(backend, '/metrics')).status).toBe(401)
  expect((await get(backend, '/metrics', INTERNAL_TOKEN)).status).toBe(200)
})
