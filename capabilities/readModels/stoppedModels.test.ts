import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { CATCH_UP_EVENTS_MIN } from '../../projections/runner/catchUp.ts'
import { writeCheckpoint } from '../../projections/runner/checkpoints.ts'
import { users } from '../../projections/users/projection.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { granted } from '../../test/support/events/ledgerEvents.ts'
import { readConsumerLags } from './consumerLags.ts'
import { STOPPED_AFTER_MS, stoppedModels } from './stoppedModels.ts'

let models: ReadModels
beforeEach(async () => {
  models = await ReadModels.open()
  for (const projection of PROJECTIONS) await models.rebuild(projection)
})
afterEach(() => models.close())

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
  const companyId = randomUUID()
  await models.appendToLedger(companyId, granted(companyId))
  expect(await found(Date.now())).toEqual(NONE)
  const { stopped } = await found(later())
  expect(stopped).toContain('credit-balances')
  expect(stopped).not.toContain('users')
  for (const projection of PROJECTIONS) await models.rebuild(projection)
  expect(await found(later())).toEqual(NONE)
})

test('a read model that is far behind is catching up, not stopped', async () => {
  await models.chargeCalls(randomUUID(), CATCH_UP_EVENTS_MIN)
  expect(await found(later())).toEqual(NONE)
})
