import { afterAll, beforeAll, expect, test } from 'vitest'
import { STOPPED_AFTER_MS } from '../../../capabilities/readModels/stoppedModels.ts'
import { openDatabase } from '../../../platform/postgres/database.ts'
import type { RunningService } from '../../../platform/service.ts'
import { type Answer, call } from '../../../test/support/harness/gatewayClient.ts'
import {
  type GatewayHarness,
  INTERNAL_TOKEN,
  startGatewayHarness,
} from '../../../test/support/harness/gatewayHarness.ts'
import { startBackend } from '../backend.ts'

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

test('200 without a token: /health reports each dependency, /healthz is static', async () => {
  expect((await get(backend, '/health')).json).toMatchObject({
    status: 'healthy',
    components: {
      database: { status: 'healthy' },
      event_store: { status: 'healthy' },
      shared_state: { status: 'healthy', gateways: 1 },
      log: { status: 'healthy', fault: null, fault_event: null },
    },
  })
  expect((await get(backend, '/healthz')).json).toEqual({ status: 'ok' })
})

test('200 and unhealthy while the database does not answer, because the process runs', async () => {
  const { runtime } = harness
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing' })
  const alone = await startBackend({ ...runtime, engines: { ...runtime.engines, database } })
  const answer = await get(alone, '/health')
  expect(answer.status).toBe(200)
  expect(answer.json).toMatchObject({
    status: 'unhealthy',
    components: { database: { status: 'unhealthy', latency_ms: null } },
  })
  expect((await get(alone, '/healthz')).status).toBe(200)
  await alone.drain(100)
  await database.close()
})

test.each([
  ['is read-only', 'default_transaction_read_only = on'],
  ['has no room for another file', "temp_file_limit = '100kB'"],
])('200 and unhealthy while the database %s', async (_, setting) => {
  const { runtime } = harness
  const { url } = runtime.engines.database
  const options = encodeURIComponent(`-c ${setting.replaceAll(' ', '').replaceAll("'", '')}`)
  const database = openDatabase({ url: `${url}${url.includes('?') ? '&' : '?'}options=${options}` })
  const alone = await startBackend({ ...runtime, engines: { ...runtime.engines, database } })
  const answer = await get(alone, '/health')
  expect(answer.status).toBe(200)
  expect(answer.json).toMatchObject({ status: 'unhealthy', components: { database: { status: 'unhealthy' } } })
  await alone.drain(100)
  await database.close()
})

test('200 and degraded while each gateway enforces limits on its own', async () => {
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

test('200 and degraded while the event store does not match the transparency log, with the event that differs', async () => {
  const { runtime } = harness
  const { database } = runtime.engines
  const [fault, event] = ['event 1, entry 0 of the log, was changed', '0193a1b2-0000-7000-8000-00000000c001']
  await database.query('update ledger_log.progress set fault = $1, fault_event = $2', [fault, event])
  const alone = await startBackend(runtime)
  expect((await get(alone, '/health')).json).toMatchObject({
    status: 'degraded',
    components: { log: { status: 'degraded', fault, fault_event: event } },
  })
  await alone.drain(100)
  await database.query('update ledger_log.progress set fault = null, fault_event = null')
})

test('200 and degraded while a read model needs a rebuild, with its name', async () => {
  const { runtime } = harness
  const { database } = runtime.engines
  const setVersion = (change: string) =>
    database.query(`update read_models.checkpoints set version = version ${change} where projection = 'users'`)
  const readModels = async () => {
    const alone = await startBackend(runtime)
    const { json } = await get(alone, '/health')
    await alone.drain(100)
    return json as { status: string; components: { read_models: unknown } }
  }
  for (const change of ['+ 1', '- 2']) {
    await setVersion(change)
    expect(await readModels()).toMatchObject({
      status: 'degraded',
      components: { read_models: { status: 'degraded', needs_rebuild: ['users'], stopped: [] } },
    })
  }
  await setVersion('+ 1')
  expect(await readModels()).toMatchObject({ status: 'healthy', components: { read_models: { needs_rebuild: [] } } })
})

test('200 and degraded while a read model has stopped, with its name', async () => {
  const { runtime } = harness
  // No projector runs here, so the events of the harness are left unapplied.
  const clock = { ...runtime.clock, now: () => runtime.clock.now() + STOPPED_AFTER_MS }
  const alone = await startBackend({ ...runtime, clock })
  expect((await get(alone, '/health')).json).toMatchObject({
    status: 'degraded',
    components: {
      read_models: {
        ...{ status: 'degraded', behind: [], needs_rebuild: [] },
        stopped: expect.arrayContaining(['credit-balances']),
      },
    },
  })
  await alone.drain(100)
})

test('200 and unhealthy while the event store does not answer', async () => {
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
    status: 'unhealthy',
    components: { database: { status: 'healthy' }, event_store: { status: 'unhealthy', latency_ms: null } },
  })
  await alone.drain(100)
})

test('401 for /metrics without the internal token, 200 with it', async () => {
  expect((await get(backend, '/metrics')).status).toBe(401)
  expect((await get(backend, '/metrics', INTERNAL_TOKEN)).status).toBe(200)
})
