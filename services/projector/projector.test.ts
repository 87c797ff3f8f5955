import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Runtime } from '../../capabilities/installation.ts'
import { untilModelsAreBuilt } from '../../capabilities/readModels/builtModels.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import type { Projection } from '../../projections/projection.ts'
import { readCheckpoint, readCheckpoints } from '../../projections/runner/checkpoints.ts'
import { rebuildAlone } from '../../projections/runner/rebuildBeside.ts'
import { users } from '../../projections/users/projection.ts'
import { type GatewayHarness, startGatewayHarness } from '../../test/support/harness/gatewayHarness.ts'
import { until } from '../../test/support/time/until.ts'
import { prepareReadModels, startProjector } from './projector.ts'

let harness: GatewayHarness
let runtime: Runtime

beforeEach(async () => {
  harness = await startGatewayHarness({ projector: false })
  runtime = { ...harness.runtime, metrics: createMetrics() }
})
afterEach(() => harness.close())

async function figure(name: string, projection: string): Promise<number | undefined> {
  const metric = await runtime.metrics.getSingleMetric(name)?.get()
  return metric?.values.find(({ labels }) => labels.projection === projection)?.value
}

const balances = () => runtime.engines.database.query('select balance_micros from read_models.credit_balances')

const OUTDATED = [creditBalances, users]

/** The state before an upgrade: an older version, without a column that this version reads. */
async function makeOlder(): Promise<void> {
  const { database } = runtime.engines
  await database.query('update read_models.checkpoints set version = version - 1 where projection = any($1)', [
    OUTDATED.map(({ name }) => name),
  ])
  await database.query('alter table read_models.credit_balances drop column balance_micros')
}

describe('the projector', () => {
  test('brings every read model up to date, counts the applied events, and stops on drain', async () => {
    const projector = await startProjector(runtime)
    await until('the balance is there', async () => (await balances()).length === 1)
    expect(await balances()).toEqual([{ balanceMicros: '1000000000' }])
    await until(
      'it is counted',
      async () => (await figure('tollgate_projection_events_total', 'credit-balances')) === 1,
    )
    await until(
      'it has passed all',
      async () => (await figure('tollgate_projection_lag_events', 'credit-balances')) === 0,
    )
    await projector.drain(1_000)
    await harness.grant(harness.companyId, '1')
    await projector.drain(1_000)
    expect(await balances()).toEqual([{ balanceMicros: '1000000000' }])
    expect(await figure('tollgate_projection_lag_events', 'credit-balances')).toBe(1)
  })

  test('stops a read model of a newer version and continues once it is of this version; the others go on', async () => {
    const { database } = runtime.engines
    const setVersion = (change: string) =>
      database.query(`update read_models.checkpoints set version = version ${change} where projection = 'api-keys'`)
    const isStopped = (value: number) => async () => (await figure('tollgate_projection_stopped', 'api-keys')) === value
    const keys = () => database.query('select 1 from read_models.api_keys')
    await setVersion('+ 1')
    await prepareReadModels(runtime)
    const projector = await startProjector(runtime)
    await until('the balance is there', async () => (await balances()).length === 1)
    await until('it says so', isStopped(1))
    expect(await figure('tollgate_projection_stopped', 'credit-balances')).toBe(0)
    expect(await keys()).toEqual([])
    await setVersion('- 1')
    await until('the keys are there', async () => (await keys()).length > 0)
    expect(await isStopped(0)()).toBe(true)
    await projector.drain(1_000)
  })

  test('rebuilds read models of an older version while it runs', async () => {
    const { database } = runtime.engines
    const projector = await startProjector(runtime)
    await until('the balance is there', async () => (await balances()).length === 1)
    await projector.drain(1_000)
    await makeOlder()
    const second = await startProjector({ ...runtime, metrics: createMetrics() })
    await until('both are rebuilt', async () => {
      const stored = await readCheckpoints(database)
      return OUTDATED.every(({ name, version }) => stored.get(name)?.version === version)
    })
    expect(await balances()).toEqual([{ balanceMicros: '1000000000' }])
    await harness.grant(harness.companyId, '1')
    await until('the grant is there', async () => (await balances())[0]?.balanceMicros === '1001000000')
    await second.drain(1_000)
  })
})

test('a start rebuilds read models of an older version before services read their columns', async () => {
  const projector = await startProjector(runtime)
  await until('the balance is there', async () => (await balances()).length === 1)
  await projector.drain(1_000)
  await makeOlder()
  const announced: (readonly string[])[] = []
  await prepareReadModels(runtime, { onRebuild: (left) => void announced.push(left) })
  expect(announced).toEqual([['credit-balances', 'users'], ['users']])
  expect(await balances()).toEqual([{ balanceMicros: '1000000000' }])
})

test('while another process rebuilds a read model, the projector rebuilds the others and a start waits for it', async () => {
  const { database } = runtime.engines
  const isRebuilt = async ({ name, version }: Projection) => (await readCheckpoint(database, name))?.version === version
  await makeOlder()
  const begun = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const other = rebuildAlone(database, creditBalances.name, () => {
    begun.resolve()
    return mayEnd.promise
  })
  await begun.promise
  const projector = await startProjector(runtime)
  try {
    await until('the other model is rebuilt', () => isRebuilt(users))
    const waits = Promise.withResolvers<void>()
    const clock = {
      ...runtime.clock,
      delay: (ms: number, signal?: AbortSignal) => {
        waits.resolve()
        return runtime.clock.delay(ms, signal)
      },
    }
    const preparing = prepareReadModels({ ...runtime, clock })
    await Promise.race([waits.promise, preparing])
    expect(await isRebuilt(creditBalances)).toBe(false)
    mayEnd.resolve()
    await preparing
    expect(await isRebuilt(creditBalances)).toBe(true)
    await until('the balance is there', async () => (await balances()).length === 1)
  } finally {
    mayEnd.resolve()
    await other
    await projector.drain(1_000)
  }
})

test('a service that reads read models waits until they are of its version, but not for those of a newer one', async () => {
  await makeOlder()
  const waiting = untilModelsAreBuilt(runtime, new AbortController().signal)
  const projector = await startProjector(runtime)
  await waiting
  expect(await balances()).toEqual([{ balanceMicros: '1000000000' }])
  await projector.drain(1_000)
  const { database } = runtime.engines
  await database.query("update read_models.checkpoints set version = version + 1 where projection = 'users'")
  await untilModelsAreBuilt(runtime, new AbortController().signal)
})

test('a service stops waiting for read models when it shuts down', async () => {
  await makeOlder()
  const stopping = new AbortController()
  const waiting = untilModelsAreBuilt(runtime, stopping.signal)
  stopping.abort()
  await waiting
})

test('the tables of all read models exist before the projector runs, and the next start finds them by one query', async () => {
  const { database } = runtime.engines
  for (const { name } of PROJECTIONS) {
    expect(await readCheckpoint(database, name)).not.toBeNull()
  }
  const statements: string[] = []
  const query: typeof database.query = (statement, ...others) => {
    statements.push(statement)
    return database.query(statement, ...others)
  }
  const transaction = () => Promise.reject(new Error('no read model is to be created'))
  const engines = { ...runtime.engines, database: { ...database, query, transaction } }
  await prepareReadModels({ ...runtime, engines })
  expect(statements).toHaveLength(1)
})
