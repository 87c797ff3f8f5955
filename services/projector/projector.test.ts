import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { readCheckpoint } from '../../projections/runner/checkpoints.ts'
import { type GatewayHarness, startGatewayHarness } from '../../test/support/gatewayHarness.ts'
import { until } from '../../test/support/until.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import type { Runtime } from '../platform/runtime.ts'
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

describe('the projector', () => {
  test('brings every read model up to date, counts the applied events, and stops on drain', async () => {
    const projector = await startProjector(runtime)
    await until('the balance is there', async () => (await balances()).length === 1)
    expect(await balances()).toEqual([{ balance_micros: '1000000000' }])
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
    expect(await balances()).toEqual([{ balance_micros: '1000000000' }])
    expect(await figure('tollgate_projection_lag_events', 'credit-balances')).toBe(1)
  })

  test('stops a read model of another version with an error; the others continue', async () => {
    await runtime.engines.database.query(
      "update read_models.checkpoints set version = version + 1 where projection = 'api-keys'",
    )
    await prepareReadModels(runtime)
    const projector = await startProjector(runtime)
    await until('the balance is there', async () => (await balances()).length === 1)
    await until('it says so', async () => (await figure('tollgate_projection_stopped', 'api-keys')) === 1)
    expect(await figure('tollgate_projection_stopped', 'credit-balances')).toBe(0)
    expect(await runtime.engines.database.query('select 1 from read_models.api_keys')).toEqual([])
    await projector.drain(1_000)
  })
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
