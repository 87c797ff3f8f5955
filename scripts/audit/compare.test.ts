import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { saveReceiptFault } from '../../capabilities/transparency/faults.ts'
import type { Engines } from '../../platform/engines.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { creditTransactions } from '../../projections/creditTransactions/projection.ts'
import { writeCheckpoint } from '../../projections/runner/checkpoints.ts'
import { LEDGER_PARTITIONS, ledgerPartitionOf } from '../../test/support/databases/ledgerPartitions.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { auditCompany } from './compare.ts'

const companyId = randomUUID()
let models: ReadModels
beforeEach(async () => {
  models = await ReadModels.open()
  await models.chargeCalls(companyId, 1)
  await rebuild(['all'])
})
afterEach(() => models.close())

async function rebuild(partitions: readonly string[]): Promise<void> {
  for (const model of [creditBalances, creditTransactions]) await models.rebuild(model, { partitions })
}

const audit = () => auditCompany(models as unknown as Engines, companyId, null)

test('read models that a restore left to the next start are refused, and not read as a ledger without events', async () => {
  expect((await audit()).replay.events).toBe(1)
  await writeCheckpoint(models.database, creditBalances, ['all'])
  await expect(audit()).rejects.toThrow('read model credit-balances is not built yet: start the projector once')
})

test('a company in a partition that is ahead of the others is compared at the position of its own partition', async () => {
  await rebuild(LEDGER_PARTITIONS)
  const behind = await models.position(creditBalances, LEDGER_PARTITIONS[0])
  await models.chargeCalls(companyId, 1)
  await rebuild(LEDGER_PARTITIONS)
  await models.database.query('update read_models.checkpoints set position = $1 where partition <> $2', [
    behind,
    ledgerPartitionOf(companyId),
  ])
  const { replay, firstDifference } = await audit()
  expect(replay.events).toBe(2)
  expect(firstDifference).toBeNull()
})

test('a company in a partition that is behind the others is compared at the position of its own partition', async () => {
  await rebuild(LEDGER_PARTITIONS)
  await models.chargeCalls(companyId, 1)
  await models.database.query('update read_models.checkpoints set position = $1 where partition <> $2', [
    await models.store.head(),
    ledgerPartitionOf(companyId),
  ])
  const { replay, firstDifference } = await audit()
  expect(replay.events).toBe(1)
  expect(firstDifference).toBeNull()
})

test('a receipt that failed to verify is reported as a fault of the log', async () => {
  const eventId = randomUUID()
  expect((await audit()).logFault).toBeNull()
  await saveReceiptFault(models.database, eventId, 'the event was changed')
  expect((await audit()).logFault).toEqual({ what: expect.stringContaining('the event was changed'), eventId })
})
