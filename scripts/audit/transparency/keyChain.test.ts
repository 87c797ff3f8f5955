import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseVerifierKey, type SigningKey, signingKey } from '../../../platform/secrets/noteKeys.ts'
import { creditBalances } from '../../../projections/creditBalances/projection.ts'
import { ReadModels } from '../../../test/support/databases/readModels.ts'
import { ORIGIN, SealedTransparencyLog } from '../../../test/support/transparency/sealedTransparencyLog.ts'
import { auditTransparency } from './auditTransparency.ts'

const [first, second, third] = [1, 2, 3].map((byte) => signingKey(ORIGIN, Buffer.alloc(32, byte))) as [
  SigningKey,
  SigningKey,
  SigningKey,
]
const company = randomUUID()
let models: ReadModels
let log: SealedTransparencyLog
beforeEach(async () => {
  models = await ReadModels.open()
  log = new SealedTransparencyLog(models.database, models.store)
  await log.charge(company, 3)
  await sealed(1, first)
  await sealed(3, second, first)
})
afterEach(async () => {
  await log.stop()
  await models.close()
})

/** Runs a sealer with these keys until the stream of checkpoints has so many events. */
async function sealed(events: number, ...keys: [SigningKey, ...SigningKey[]]): Promise<void> {
  log.keys = { origin: ORIGIN, of: () => keys }
  log.start()
  await log.until(`${events} events`, async () => (await log.checkpoints()).length >= events)
  await log.stop()
}

async function faultsOf(key: SigningKey, held: readonly { file: string; note: string }[] = []): Promise<string[]> {
  await models.rebuild(creditBalances)
  const { database, store } = log
  const engines = { database, store: models.store, storeAsWritten: store }
  const options = { keysOf: () => [parseVerifierKey(key.vkey)], state: null, isFull: true, held, now: '' }
  return (await auditTransparency(engines, options)).faults.named.map(({ what }) => what)
}

test('each checkpoint is accepted under the key of its time, given any one of the keys', async () => {
  await log.charge(company)
  await sealed(4, second)
  for (const key of [first, second]) expect(await faultsOf(key)).toEqual([])
  expect(await faultsOf(third)).toContainEqual(expect.stringContaining('none of the given keys'))
})

test('a checkpoint that was kept is accepted under the key that signed its tree', async () => {
  const [before, , after] = (await log.checkpoints()).map(({ data }) => String(data.note))
  for (const note of [before, after]) expect(await faultsOf(second, [{ file: 'kept', note: note ?? '' }])).toEqual([])
})

test('a checkpoint that a replaced key has signed is found', async () => {
  // The sealer of a thief who has the old key, and edits the tables so that they know of no other.
  await log.database.query('create table kept as select * from ledger_log.key_rotations')
  await log.database.query('delete from ledger_log.key_rotations')
  await log.charge(company)
  await sealed(4, first)
  expect(await faultsOf(second)).toContainEqual(expect.stringContaining('lack a rotation of its key'))
  await log.database.query('insert into ledger_log.key_rotations select * from kept')
  expect(await faultsOf(second)).toEqual([expect.stringMatching(/^checkpoint 3 .* is not signed/)])
})

test('a rotation that the old key has not signed is found', async () => {
  await log.database.query('update ledger_log.key_rotations set new_vkey = $1', [third.vkey])
  expect(await faultsOf(third)).toContainEqual(expect.stringMatching(/^the rotation of the log's key is not signed/))
})
