import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { TransparencyEvent } from '../../contracts/events/transparency.ts'
import { CHECKPOINTS_STREAM } from '../../contracts/streams.ts'
import { describeModelHashes } from '../../test/support/databases/modelHashes.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { granted } from '../../test/support/events/ledgerEvents.ts'
import { creditBalances } from '../creditBalances/projection.ts'
import { creditTransactions } from '../creditTransactions/projection.ts'
import { trail } from '../trail/projection.ts'
import { hashProjection } from './hash.ts'

test('a model that is not built has no hash', async () => {
  const models = await ReadModels.open()
  expect(await hashProjection(models.database, creditBalances)).toBeNull()
  await models.close()
})

test('the event by which a restore starts a new origin of the log does not change a hash', async () => {
  const models = await ReadModels.open()
  const companyId = randomUUID()
  const hashNow = async () => {
    await models.rebuild(trail)
    return (await hashProjection(models.database, trail))?.hash
  }
  const started = (origin: string): TransparencyEvent => ({
    type: 'LogOriginStarted',
    data: { origin, reason: 'a backup was restored', size: 0, startedAt: '2026-03-01T10:00:00.000Z' },
  })
  await models.appendToLedger(companyId, granted(companyId))
  const before = await hashNow()
  await models.append(CHECKPOINTS_STREAM, started('log.example/r1'))
  expect(await hashNow()).toBe(before)
  await models.appendToLedger(companyId, granted(companyId))
  expect(await hashNow()).not.toBe(before)
  await models.close()
})

describeModelHashes([creditBalances, creditTransactions, trail])
