import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { EVENTS_PER_APPEND_MAX } from '../../platform/eventStore/eventGuard.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { CATCH_UP_EVENTS_MIN } from '../../projections/runner/catchUp.ts'
import { anEventOf } from '../../test/support/events/history.ts'
import { charged } from '../../test/support/events/ledgerEvents.ts'
import { type GatewayHarness, startGatewayHarness } from '../../test/support/harness/gatewayHarness.ts'
import { until } from '../../test/support/time/until.ts'
import { startProjector } from './projector.ts'

let harness: GatewayHarness
beforeAll(async () => {
  harness = await startGatewayHarness({ projector: false })
})
afterAll(() => harness.close())

test('after a projector has caught up with many events, the database knows how large the read models are', async () => {
  const { companyId } = harness
  const runtime = { ...harness.runtime, metrics: createMetrics() }
  const { database, store } = runtime.engines
  const appends = Array.from({ length: CATCH_UP_EVENTS_MIN / EVENTS_PER_APPEND_MAX }, () => {
    const charges = Array.from({ length: EVENTS_PER_APPEND_MAX }, () => anEventOf(charged(companyId)))
    return store.append(streamName('ledger', companyId), 'any', charges)
  })
  await Promise.all(appends)
  const projector = await startProjector(runtime)
  const knownRows = async () => {
    const [row] = await database.query<{ rows: number }>(
      "select reltuples::float as rows from pg_class where oid = 'read_models.credit_transactions'::regclass",
    )
    return row?.rows ?? 0
  }
  await until('it is analyzed', async () => (await knownRows()) >= CATCH_UP_EVENTS_MIN)
  expect(await knownRows()).toBeLessThan(CATCH_UP_EVENTS_MIN * 2)
  await projector.drain(1_000)
})
