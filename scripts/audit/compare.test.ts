import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engines } from '../../platform/engines.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { creditTransactions } from '../../projections/creditTransactions/projection.ts'
import { writeCheckpoint } from '../../projections/runner/checkpoints.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { auditCompany } from './compare.ts'

const companyId = randomUUID()
let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
  await models.chargeCalls(companyId, 1)
  await models.rebuild(creditBalances)
  await models.rebuild(creditTransactions)
})
afterAll(() => models.close())

const audit = () => auditCompany(models as unknown as Engines, companyId, null)

test('read models that a restore left to the next start are refused, and not taken for a ledger without events', async () => {
  expect((await audit()).replay.events).toBe(1)
  await writeCheckpoint(models.database, creditBalances, ['all'])
  await expect(audit()).rejects.toThrow('read model credit-balances is not built yet: start the projector once')
})
