import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CHECKPOINT_INTERVAL_MS } from '../../../capabilities/transparency/checkpoint.ts'
import { CHECKPOINTS_STREAM } from '../../../contracts/streams.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { tamper } from '../../../test/support/databases/tamper.ts'
import { SealedTransparencyLog } from '../../../test/support/transparency/sealedTransparencyLog.ts'

let harness: PostgresStoreHarness
let transparencyLog: SealedTransparencyLog
const company = randomUUID()
beforeEach(async () => {
  harness = await PostgresStoreHarness.open()
  transparencyLog = new SealedTransparencyLog(harness.database, harness.store)
})
afterEach(async () => {
  await transparencyLog.stop()
  await harness.close()
})

describe('a log that the store no longer matches', () => {
  const ids: string[] = []
  beforeEach(async () => {
    ids.splice(0, ids.length, ...(await transparencyLog.charge(company, 5)))
    transparencyLog.start()
    await transparencyLog.signed(5)
  })
  const run = (sql: string, ...values: unknown[]) => tamper(harness.database, sql, values)

  test('is found by the scrub, is signed no more, and names the event whose amount was changed', async () => {
    await run(
      `update event_store.events set data = replace(data::text, '"amountMicros":"50"', '"amountMicros":"51"')::json
       where event_id = $1`,
      ids[2],
    )
    expect(await transparencyLog.faulty()).toEqual({
      fault: `event ${ids[2]}, entry 2 of the log, was changed since it was sealed`,
      faultEvent: ids[2],
    })
    await transparencyLog.charge(company)
    await transparencyLog.clock.advance(10 * CHECKPOINT_INTERVAL_MS)
    expect(await transparencyLog.checkpoints()).toHaveLength(1)
    expect(await transparencyLog.metrics[0]?.metrics()).toMatch(/^tollgate_log_fault 1$/m)
    await transparencyLog.stop()
    transparencyLog.start()
    await transparencyLog.clock.advance(10 * CHECKPOINT_INTERVAL_MS)
    expect(await transparencyLog.checkpoints()).toHaveLength(1)
  })

  test('is found at the start of a sealer whose tiles were changed', async () => {
    await transparencyLog.stop()
    await run('update ledger_log.tiles set hashes = set_byte(hashes, 40, (get_byte(hashes, 40) + 1) % 256)')
    transparencyLog.start()
    expect((await transparencyLog.faulty()).fault).toMatch(
      /^the tiles of the log are not those of the checkpoint of 5 entries/,
    )
  })

  test('is found when a checkpoint of another tree is in the store', async () => {
    const { data, metadata } = (await transparencyLog.checkpoints())[0] ?? {}
    const root = Buffer.alloc(32, 1).toString('base64')
    const event = { id: randomUUID(), type: 'CheckpointSigned', data: { ...data, root }, metadata }
    await harness.store.append(CHECKPOINTS_STREAM, 0, [event as never])
    expect((await transparencyLog.faulty()).fault).toMatch(
      /^the first 5 ledger events of the store are not those of the checkpoint/,
    )
  })
})

describe('the event of a checkpoint that was removed', () => {
  const remove = (revision: number) =>
    tamper(harness.database, "delete from event_store.events where stream = 'log-checkpoints' and revision = $1", [
      revision,
    ])
  beforeEach(async () => {
    transparencyLog.start()
    for (const size of [1, 2, 3]) {
      await transparencyLog.charge(company)
      await transparencyLog.signed(size)
    }
  })

  test('is a fault for the sealer if it was the last one, because no other can follow', async () => {
    await remove(2)
    await transparencyLog.charge(company)
    expect((await transparencyLog.faulty()).fault).toMatch(
      /^the checkpoint of 3 entries that was signed at .* is no longer in the store$/,
    )
  })

  test('is a fault for the sealer if its row was removed, too', async () => {
    await remove(2)
    await harness.database.query('delete from ledger_log.checkpoints where number = 2')
    await transparencyLog.charge(company)
    expect((await transparencyLog.faulty()).fault).toBe(
      'the event at revision 2 of log-checkpoints, the last one that was stored, was removed from the store',
    )
  })

  test('is a fault for a scrub, the last one and one in the middle', async () => {
    await transparencyLog.stop()
    await remove(2)
    await expect(transparencyLog.scrub()).rejects.toThrow('the checkpoint of 3 entries that was signed at')
    await harness.database.query('delete from ledger_log.checkpoints where number = 2')
    expect(await transparencyLog.scrub()).toEqual({ entries: 3 })
    await remove(0)
    await expect(transparencyLog.scrub()).rejects.toThrow('events of log-checkpoints before event')
  })
})

test('a restored event without its predecessor in the log is a fault', async () => {
  const metadata = { recordedAt: '2026-01-01T00:00:00.000Z', logIndex: 1 }
  const [id] = await transparencyLog.charge(company, 1, metadata)
  transparencyLog.start()
  expect(await transparencyLog.faulty()).toEqual({
    fault: `the store has no event for entry 0 of the log, which precede event ${id}`,
    faultEvent: id,
  })
})
