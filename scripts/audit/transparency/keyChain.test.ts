import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signRotation } from '../../../capabilities/transparency/keyRotation.ts'
import { signNote } from '../../../capabilities/transparency/note.ts'
import { CHECKPOINTS_STREAM } from '../../../contracts/streams.ts'
import { parseVerifierKey, type SigningKey, signingKey } from '../../../platform/secrets/noteKeys.ts'
import { creditBalances } from '../../../projections/creditBalances/projection.ts'
import { ReadModels } from '../../../test/support/databases/readModels.ts'
import { tamper } from '../../../test/support/databases/tamper.ts'
import { ORIGIN, SealedTransparencyLog } from '../../../test/support/transparency/sealedTransparencyLog.ts'
import { auditTransparency } from './auditTransparency.ts'

const [first, second, third] = [1, 2, 3].map((byte) => signingKey(ORIGIN, Buffer.alloc(32, byte))) as [
  SigningKey,
  SigningKey,
  SigningKey,
]
const company = randomUUID()
let models: ReadModels
let transparencyLog: SealedTransparencyLog
beforeEach(async () => {
  models = await ReadModels.open()
  transparencyLog = new SealedTransparencyLog(models.database, models.store)
  await transparencyLog.charge(company, 3)
  await sealed(1, first)
  await sealed(3, second, first)
})
afterEach(async () => {
  await transparencyLog.stop()
  await models.close()
})

/** Runs a sealer with these keys until the stream of checkpoints has this many events. */
async function sealed(events: number, ...keys: [SigningKey, ...SigningKey[]]): Promise<void> {
  transparencyLog.keys = { origin: ORIGIN, of: () => keys }
  transparencyLog.start()
  await transparencyLog.until(`${events} events`, async () => (await transparencyLog.checkpoints()).length >= events)
  await transparencyLog.stop()
}

async function faultsOf(key: SigningKey, held: readonly { file: string; note: string }[] = []): Promise<string[]> {
  await models.rebuild(creditBalances)
  const { database, store } = transparencyLog
  const engines = { database, store: models.store, storeAsWritten: store }
  const options = { keysOf: () => [parseVerifierKey(key.vkey)], state: null, isFull: true, held, now: '' }
  return (await auditTransparency(engines, options)).faults.named.map(({ what }) => what)
}

test('each checkpoint is accepted under the key of its time, given any one of the keys', async () => {
  await transparencyLog.charge(company)
  await sealed(4, second)
  for (const key of [first, second]) expect(await faultsOf(key)).toEqual([])
  expect(await faultsOf(third)).toContainEqual(expect.stringContaining('none of the given keys'))
})

test('a checkpoint that was kept is accepted under the key that signed its tree', async () => {
  const [before, , after] = (await transparencyLog.checkpoints()).map(({ data }) => String(data.note))
  for (const note of [before, after]) expect(await faultsOf(second, [{ file: 'kept', note: note ?? '' }])).toEqual([])
})

test('a checkpoint that was kept is refused if a replaced key has signed it for a larger tree', async () => {
  await transparencyLog.charge(company)
  await sealed(4, second)
  const note = String((await transparencyLog.checkpoints()).at(-1)?.data.note)
  const forged = signNote(note.slice(0, note.indexOf('\n\n') + 1), [first])
  expect(await faultsOf(second, [{ file: 'kept', note: forged }])).toEqual([
    expect.stringMatching(/^the checkpoint in kept is not one of this log/),
  ])
})

test('a checkpoint that a replaced key has signed is found', async () => {
  // The sealer of a thief who has the old key, and edits the tables so that they know of no other.
  await transparencyLog.database.query('create table kept as select * from ledger_log.key_rotations')
  await transparencyLog.database.query('delete from ledger_log.key_rotations')
  await transparencyLog.charge(company)
  await sealed(4, first)
  expect(await faultsOf(second)).toContainEqual(expect.stringContaining('lack a rotation of its key'))
  await transparencyLog.database.query('insert into ledger_log.key_rotations select * from kept')
  expect(await faultsOf(second)).toEqual([expect.stringMatching(/^checkpoint 3 .* is not signed/)])
})

test('a rotation that the old key has not signed is found', async () => {
  await transparencyLog.database.query('update ledger_log.key_rotations set new_vkey = $1', [third.vkey])
  expect(await faultsOf(third)).toContainEqual(expect.stringMatching(/^the rotation of the log's key is not signed/))
})

test('a second successor that the replaced key has named is found', async () => {
  const rotation = { origin: ORIGIN, size: 3, rotatedAt: '2026-03-01T10:00:00.000Z' }
  const signed = signRotation(rotation, { from: first, to: third })
  await transparencyLog.database.query('insert into ledger_log.key_rotations values (3, $1, $2, $3, $4, $5, $6)', [
    ...[ORIGIN, rotation.size, signed.oldVkey, signed.newVkey, signed.note, rotation.rotatedAt],
  ])
  expect(await faultsOf(second)).toContainEqual(
    `the log's key was ${second.vkey}, but ${first.vkey} names its successor`,
  )
})

test('a rotation of a key of another origin is found', async () => {
  const rotation = { origin: 'another.example', size: 3, rotatedAt: '2026-03-01T10:00:00.000Z' }
  const [from, to] = [1, 2].map((byte) => signingKey(rotation.origin, Buffer.alloc(32, byte))) as [
    SigningKey,
    SigningKey,
  ]
  const data = { ...rotation, ...signRotation(rotation, { from, to }) }
  await models.append(CHECKPOINTS_STREAM, { type: 'LogKeyRotated', data })
  expect(await faultsOf(second)).toContainEqual(
    'a key of another.example was replaced, which is not the origin of the log then',
  )
})

test('a checkpoint whose event says another time than its note is found', async () => {
  await tamper(
    transparencyLog.database,
    `update event_store.events set data = (data::jsonb || '{"signedAt": "2026-01-01T08:00:00.000Z"}')::json
     where stream = 'log-checkpoints' and revision = 0`,
  )
  expect(await faultsOf(second)).toEqual([expect.stringMatching(/^checkpoint 0 .* its note says another time$/)])
})
