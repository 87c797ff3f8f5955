import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { creditTransactions } from '../../projections/creditTransactions/projection.ts'
import { CATCH_UP_EVENTS_MIN } from '../../projections/runner/catchUp.ts'
import { writeCheckpoint } from '../../projections/runner/checkpoints.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { noteBehind } from './noteBehind.ts'

const READ = [creditBalances, creditTransactions]
const BUILT_BY = '"npm start" or the projector builds them.\n'

let models: ReadModels
beforeEach(async () => {
  models = await ReadModels.open()
})
afterEach(() => models.close())

const note = () => noteBehind(models, READ)

test('nothing is noted about models without events in the store', async () => {
  expect(await note()).toBe('')
})

test('models that are at the beginning, of another version or missing are noted as not built yet', async () => {
  await models.chargeCalls(randomUUID(), 1)
  expect(await note()).toBe(`Read models that are not built yet: credit-balances, credit-transactions. ${BUILT_BY}`)
  await models.rebuild(creditBalances)
  await models.rebuild(creditTransactions)
  expect(await note()).toBe('')
  await writeCheckpoint(models.database, creditBalances, ['all'])
  expect(await note()).toBe(`Read models that are not built yet: credit-balances. ${BUILT_BY}`)
  const older = { ...creditBalances, version: creditBalances.version - 1 }
  await writeCheckpoint(models.database, older, ['all'], await models.store.head())
  expect(await note()).toBe(`Read models that are not built yet: credit-balances. ${BUILT_BY}`)
})

test('models that lack many events are noted as far behind', async () => {
  const companyId = randomUUID()
  await models.chargeCalls(companyId, 1)
  await models.rebuild(creditBalances)
  await models.chargeCalls(companyId, CATCH_UP_EVENTS_MIN - 1)
  await models.rebuild(creditTransactions)
  expect(await note()).toBe('')
  await models.chargeCalls(companyId, 1)
  expect(await note()).toBe(`Read models that are far behind the event store: credit-balances. ${BUILT_BY}`)
})
