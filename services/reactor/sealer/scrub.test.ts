import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { leafHash, rootOver } from '../../../capabilities/transparency/hashes.ts'
import { rootAt } from '../../../capabilities/transparency/proofs.ts'
import { readTiles } from '../../../capabilities/transparency/reader.ts'
import { streamName } from '../../../contracts/streams.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { tamper } from '../../../test/support/databases/tamper.ts'
import { chargeOf, ORIGIN, SealedTransparencyLog } from '../../../test/support/transparency/sealedTransparencyLog.ts'

let harness: PostgresStoreHarness
let transparencyLog: SealedTransparencyLog
const company = randomUUID()
const ids: string[] = []
const run = (sql: string, ...values: unknown[]) => tamper(harness.database, sql, values)

beforeAll(async () => {
  harness = await PostgresStoreHarness.open()
  transparencyLog = new SealedTransparencyLog(harness.database, harness.store)
  ids.push(...(await transparencyLog.charge(company, 5)))
  transparencyLog.start()
  await transparencyLog.signed(5)
  await transparencyLog.stop()
  for (const table of ['event_store.events', 'event_store.counter', 'ledger_log.entries']) {
    await run(`create table saved_${table.replace('.', '_')} as table ${table}`)
  }
})
afterEach(async () => {
  for (const table of ['event_store.events', 'event_store.counter', 'ledger_log.entries']) {
    await run(`truncate ${table}`)
    await run(`insert into ${table} table saved_${table.replace('.', '_')}`)
  }
})
afterAll(async () => {
  await transparencyLog.stop()
  await harness.close()
})

describe('a scrub', () => {
  test('names an event that was removed', async () => {
    await run('delete from event_store.events where event_id = $1', ids[1])
    await expect(transparencyLog.scrub()).rejects.toThrow(
      `event ${ids[1]}, entry 1 of the log, was removed from the store`,
    )
  })

  test('names the last event, if that was removed', async () => {
    await run('delete from event_store.events where event_id = $1', ids[4])
    await expect(transparencyLog.scrub()).rejects.toThrow(
      `event ${ids[4]}, entry 4 of the log, was removed from the store`,
    )
  })

  test('names events that changed places', async () => {
    await run('update event_store.events set position = -position where event_id = any($1)', [ids[1], ids[2]])
    await run('update event_store.events set position = 5 + position where event_id = any($1::uuid[])', [
      ids[1],
      ids[2],
    ])
    await expect(transparencyLog.scrub()).rejects.toThrow(
      `event ${ids[1]}, entry 1 of the log, has another place in the store now`,
    )
  })

  test('names an event that was inserted', async () => {
    const { id, type, data, metadata } = chargeOf(company)
    await run('update event_store.events set position = position + 100 where event_id = $1', ids[4])
    await run('update event_store.counter set position = 105')
    await run(
      `insert into event_store.events (position, stream_no, revision, event_id, recorded_at, stream, type, data, metadata)
       select 5, stream_no, 99, $1, now(), stream, $2, $3, $4 from event_store.events where event_id = $5`,
      id,
      type,
      data,
      metadata,
      ids[0],
    )
    await expect(transparencyLog.scrub()).rejects.toThrow(
      `event ${id} was inserted into the store before event ${ids[4]}`,
    )
  })

  test('names an entry that was changed although its event was not', async () => {
    await run("update ledger_log.entries set entry = '\\x00' where index = 3")
    await expect(transparencyLog.scrub()).rejects.toThrow(`the stored entry 3 of event ${ids[3]} was changed`)
  })
})

test('the tiles give the root of the entries at every size', async () => {
  await transparencyLog.charge(company, 600)
  await harness.store.append(streamName('ledger', randomUUID()), 'any', [chargeOf(company)])
  transparencyLog.start()
  await transparencyLog.signed(606)
  const rows = await harness.database.query<{ entry: Buffer }>('select entry from ledger_log.entries order by index')
  const leaves = rows.map(({ entry }) => leafHash(entry))
  for (const size of [1, 255, 256, 257, 512, 600, 606]) {
    expect(await rootAt(size, readTiles(harness.database))).toEqual(rootOver(leaves.slice(0, size)))
  }
  expect((await transparencyLog.checkpoints())[1]?.data).toMatchObject({ origin: ORIGIN, size: 606 })
})
