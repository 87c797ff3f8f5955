import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rebuildTransparency } from '../../../capabilities/transparency/sealing/rebuild.ts'
import { readProgress } from '../../../capabilities/transparency/sealing/tables.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { tamper } from '../../../test/support/databases/tamper.ts'
import { SealedTransparencyLog } from '../../../test/support/transparency/sealedTransparencyLog.ts'

let harness: PostgresStoreHarness
let transparencyLog: SealedTransparencyLog
const company = randomUUID()
let ids: string[]
beforeEach(async () => {
  harness = await PostgresStoreHarness.open()
  transparencyLog = new SealedTransparencyLog(harness.database, harness.store)
  transparencyLog.start()
  ids = await transparencyLog.charge(company, 3)
  await transparencyLog.signed(3)
  ids.push(...(await transparencyLog.charge(randomUUID(), 300)))
  await transparencyLog.signed(303)
})
afterEach(async () => {
  await transparencyLog.stop()
  await harness.close()
})

const rebuild = () =>
  rebuildTransparency({
    database: harness.database,
    store: harness.store,
    clock: transparencyLog.clock,
    ids: systemIds,
  })
const tables = async () => {
  const rows = await Promise.all(
    ['entries', 'tiles', 'checkpoints'].map((table) =>
      harness.database.query(`select md5(string_agg(t::text, ',' order by t)) from ledger_log.${table} t`),
    ),
  )
  return rows.flat()
}

describe('a rebuild of the log', () => {
  test('gives the same log and matches every checkpoint, and the running sealer continues after it', async () => {
    const before = await tables()
    expect(await rebuild()).toMatchObject({ size: 303, checkpoints: 2 })
    expect(await tables()).toEqual(before)
    await transparencyLog.charge(company, 2)
    await transparencyLog.signed(305)
    expect(await transparencyLog.scrub()).toEqual({ entries: 305 })
    expect(await harness.database.query("select 1 from pg_namespace where nspname like 'rebuild%'")).toEqual([])
  })

  test('clears a fault that was not in the store', async () => {
    await harness.database.query("update ledger_log.entries set entry = '\\x00' where index = 1")
    await transparencyLog.stop()
    transparencyLog.start()
    expect((await transparencyLog.faulty()).faultEvent).toBe(ids[1])
    await rebuild()
    expect((await readProgress(harness.database)).fault).toBeNull()
    await transparencyLog.charge(company)
    await transparencyLog.signed(304)
    expect(await transparencyLog.scrub()).toEqual({ entries: 304 })
  })

  test('is refused in one line while another one is running', async () => {
    const { database, store } = harness
    const [begun, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const head = async () => {
      begun.resolve()
      await mayGoOn.promise
      return store.head()
    }
    const slow = new Proxy(store, {
      get: (target, name) => {
        const member: unknown = name === 'head' ? head : Reflect.get(target, name, target)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    const first = rebuildTransparency({ database, store: slow, clock: transparencyLog.clock, ids: systemIds })
    await begun.promise
    await expect(rebuild()).rejects.toThrow(/^another rebuild of the transparency log is under way: .*$/)
    mayGoOn.resolve()
    await first
  })

  test('fails if an event was changed, names it, and leaves the old log', async () => {
    const before = await tables()
    await tamper(harness.database, "update event_store.events set type = 'CreditsGranted' where event_id = $1", [
      ids[1],
    ])
    await expect(rebuild()).rejects.toThrow(
      new RegExp(`^the first 3 ledger events .* the first difference is entry 1: event ${ids[1]} differs$`),
    )
    expect(await tables()).toEqual(before)
    expect(await readProgress(harness.database)).toMatchObject({ size: 303, faultEvent: ids[1] })
    await tamper(harness.database, "update event_store.events set type = 'CallCharged' where event_id = $1", [ids[1]])
    await rebuild()
    await transparencyLog.charge(company)
    await transparencyLog.signed(304)
  })

  test('makes the running sealer begin again, also if the log has as many entries as before', async () => {
    const { database } = harness
    const [unsigned] = await transparencyLog.charge(company)
    await transparencyLog.until('the event is sealed', async () => (await readProgress(database)).size === 304)
    expect(await transparencyLog.checkpoints()).toHaveLength(2)
    // No checkpoint covers the event yet, so the rebuild takes it as it is now.
    await tamper(database, "update event_store.events set type = 'CreditsGranted' where event_id = $1", [unsigned])
    expect(await rebuild()).toMatchObject({ size: 304 })
    await transparencyLog.charge(company)
    await transparencyLog.signed(305)
    expect(await transparencyLog.scrub()).toEqual({ entries: 305 })
    expect((await readProgress(database)).fault).toBeNull()
  })

  test('stores a fault only if a second reading of the store shows it, too', async () => {
    const { database, store } = harness
    let isFirst = true
    const flickering = Object.assign(Object.create(store) as typeof store, {
      readAll: async (options: Parameters<typeof store.readAll>[0]) => {
        const page = await store.readAll(options)
        if (!isFirst) return page
        isFirst = false
        return { ...page, events: page.events.map((event) => ({ ...event, type: 'CreditsGranted' })) }
      },
      head: () => store.head(),
    })
    const rebuilt = await rebuildTransparency({
      database,
      store: flickering,
      clock: transparencyLog.clock,
      ids: systemIds,
    })
    expect(rebuilt).toMatchObject({ size: 303, checkpoints: 2 })
    expect(isFirst).toBe(false)
    expect((await readProgress(database)).fault).toBeNull()
  })

  test('fails if a checkpoint is no longer in the store', async () => {
    await tamper(harness.database, "delete from event_store.events where stream = 'log-checkpoints' and revision = 0")
    await expect(rebuild()).rejects.toThrow(
      /^the checkpoint of 3 entries that was signed at .* is no longer in the store/,
    )
  })
})
