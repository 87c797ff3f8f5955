import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Runtime } from '../../capabilities/installation.ts'
import { readModelCheck } from '../../capabilities/readModels/readModelHealth.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { HISTORY_PROJECTIONS, PROJECTIONS } from '../../projections/catalogue.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { keySpend } from '../../projections/keySpend/projection.ts'
import { CATCH_UP_EVENTS_MIN } from '../../projections/runner/catchUp.ts'
import { hashProjection } from '../../projections/runner/hash.ts'
import { openViews } from '../../services/gateway/views/gatewayViews.ts'
import { prepareReadModels, startProjector } from '../../services/projector/projector.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import { everyStream } from '../support/eventStores/everyStream.ts'
import { until } from '../support/time/until.ts'

const log = pino({ enabled: false })
const clock = systemClock
const history = new Set(HISTORY_PROJECTIONS)
const others = PROJECTIONS.filter((projection) => !history.has(projection))
const companyId = randomUUID()

let models: ReadModels
beforeEach(async () => {
  models = await ReadModels.open()
})
afterEach(() => models.close())

/** Keeps the checkpoints of the history until it is released, as a rebuild does for a moment. */
function holdHistory(): { readonly held: Promise<void>; release(): Promise<void> } {
  const connection = models.connect()
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = connection.transaction(async (sql) => {
    const names = HISTORY_PROJECTIONS.map(({ name }) => name)
    await sql.query('select 1 from read_models.checkpoints where projection = any ($1) for update', [names])
    held.resolve()
    await released.promise
  })
  const release = async () => {
    released.resolve()
    await holding
    await connection.close()
  }
  return { held: held.promise, release }
}

async function areAtHead(projections: typeof PROJECTIONS): Promise<boolean> {
  const head = await models.store.head()
  const positions = await Promise.all(projections.map((projection) => models.position(projection)))
  return positions.every((position) => position === head)
}

test('gateways start while the history is still behind, and in the end every model equals its rebuild', async () => {
  const { database, store, feed } = models
  const engines = { database, store, feed } as Runtime['engines']
  await prepareReadModels({ engines, clock, ids: systemIds, log })
  for (const { stream, events } of everyStream()) await models.append(stream, ...events)
  await models.chargeCalls(companyId, CATCH_UP_EVENTS_MIN + 500)
  const { held, release } = holdHistory()
  await held
  const health = readModelCheck({ database, store, usesKafka: false }, clock)
  const projector = await startProjector({
    config: readConfig({}),
    engines,
    clock,
    ids: systemIds,
    log,
    metrics: createMetrics(),
    tracing: null,
  })
  try {
    const views = await openViews({ database, store, feed, clock, log })
    await until('the models that requests are decided by are current', () => areAtHead(others))
    const [balance] = (await models.rows(creditBalances)).filter((row) => row.companyId === companyId)
    expect(views.balances.unheldMicros(companyId)).toBe(BigInt(balance?.balanceMicros ?? 0))
    expect(balance?.balanceMicros).toBe(
      (await models.folded(creditBalances)).find((row) => row.companyId === companyId)?.balanceMicros,
    )
    expect(await models.rows(keySpend)).toEqual(await models.folded(keySpend))
    for (const projection of HISTORY_PROJECTIONS) expect(await models.position(projection)).toBe(BEGINNING)
    await until(
      'the health has been read again',
      async () => (await health()).behind.length === HISTORY_PROJECTIONS.length,
    )
    const { status, behind, percent } = await health()
    expect({ status, behind: behind.toSorted() }).toEqual({
      status: 'degraded',
      behind: HISTORY_PROJECTIONS.map(({ name }) => name).toSorted(),
    })
    expect(percent).toBeGreaterThan(50)
    expect(percent).toBeLessThan(100)
    await views.stop()
  } finally {
    await release()
  }
  await until('every model is current', () => areAtHead(PROJECTIONS))
  await until('the health says so', async () => (await health()).status === 'healthy')
  await projector.drain(1_000)
  for (const projection of [creditBalances, keySpend, ...HISTORY_PROJECTIONS]) {
    const caughtUp = await hashProjection(database, projection)
    await models.rebuild(projection)
    expect(await hashProjection(database, projection)).toEqual(caughtUp)
  }
})
