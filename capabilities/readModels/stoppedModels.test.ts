import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { CATCH_UP_EVENTS_MIN } from '../../projections/runner/catchUp.ts'
import { writeCheckpoint } from '../../projections/runner/checkpoints.ts'
import { users } from '../../projections/users/projection.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { userRegistered } from '../../test/support/events/controlEvents.ts'
import { granted } from '../../test/support/events/ledgerEvents.ts'
import { readConsumerLags } from './consumerLags.ts'
import { CATCH_UP_STOPPED_AFTER_MS, STOPPED_AFTER_MS, stoppedModels } from './stoppedModels.ts'

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
  await grant()
})
beforeEach(() => moveAll())
afterAll(() => models.close())

async function grant(): Promise<void> {
  const companyId = randomUUID()
  await models.appendToLedger(companyId, granted(companyId))
}

/** As if every model had just applied all events. Their rows do not matter here. */
async function moveAll(): Promise<void> {
  const head = await models.store.head()
  for (const projection of PROJECTIONS) await writeCheckpoint(models.database, projection, ['all'], head)
}

const setMovedAt = (ms: number, projection: string | null = null) =>
  models.database.query('update read_models.checkpoints set moved_at = $1 where coalesce(projection = $2, true)', [
    new Date(ms).toISOString(),
    projection,
  ])

async function found(nowMs: number) {
  const { database, store } = models
  const sources = { database, store, usesKafka: false }
  return stoppedModels(await readConsumerLags(sources), sources, nowMs)
}

const NONE = { needRebuild: [], stopped: [] }
const later = () => Date.now() + STOPPED_AFTER_MS

test('a read model of another version, older or newer, needs a rebuild', async () => {
  await writeCheckpoint(models.database, { ...users, version: users.version + 1 }, ['all'])
  await writeCheckpoint(models.database, { ...creditBalances, version: creditBalances.version - 1 }, ['all'])
  expect(await found(later())).toEqual({ needRebuild: ['credit-balances', 'users'], stopped: [] })
})

test('a read model that ignores its events for a minute has stopped; one without events of its own has not', async () => {
  await grant()
  expect(await found(Date.now())).toEqual(NONE)
  const { stopped } = await found(later())
  expect(stopped).toContain('credit-balances')
  expect(stopped).not.toContain('users')
  await moveAll()
  expect(await found(later())).toEqual(NONE)
})

test('a read model that is far behind is catching up, and has stopped if none of those moves for five minutes', async () => {
  await setMovedAt(Date.now() - 3_600_000)
  await models.chargeCalls(randomUUID(), CATCH_UP_EVENTS_MIN)
  // It had nothing to apply until now.
  expect(await found(Date.now())).toEqual(NONE)
  await setMovedAt(Date.now())
  expect(await found(later())).toEqual(NONE)
  const muchLater = Date.now() + CATCH_UP_STOPPED_AFTER_MS
  const { stopped } = await found(muchLater)
  expect(stopped).toContain('credit-balances')
  await setMovedAt(muchLater, 'usage')
  expect(await found(muchLater)).toEqual(NONE)
})

test('a read model that still moves has not stopped, however old its next event is', async () => {
  await grant()
  await setMovedAt(later())
  expect(await found(later())).toEqual(NONE)
})

test('a read model that has not moved for long because it had no event has not stopped', async () => {
  await setMovedAt(Date.now() - 3_600_000)
  await grant()
  expect(await found(Date.now())).toEqual(NONE)
})

test('a read model that is not built yet needs no rebuild and has not stopped', async () => {
  await models.database.query("delete from read_models.checkpoints where projection = 'users'")
  expect(await found(later())).toEqual(NONE)
})

test('pages without an event of the read model do not hide that it has stopped', async () => {
  const companyId = randomUUID()
  const { position } = await models.appendToLedger(companyId, granted(companyId))
  const userId = randomUUID()
  await models.append(streamName('user', userId), userRegistered(userId, null))
  // As a store answers that reads all events and leaves out those of other categories.
  const readAll: typeof models.store.readAll = async (options) =>
    options.after < position ? { events: [], position } : models.store.readAll(options)
  const lags = await readConsumerLags({ database: models.database, store: models.store, usesKafka: false })
  const store = { ...models.store, readAll }
  const { stopped } = await stoppedModels(lags, { database: models.database, store }, later())
  expect(stopped).toContain('users')
})
