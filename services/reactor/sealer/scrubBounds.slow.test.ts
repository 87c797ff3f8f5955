import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readFault, saveReceiptFault } from '../../../capabilities/transparency/faults.ts'
import { GrowingTree } from '../../../capabilities/transparency/growingTree.ts'
import { scrubEntries } from '../../../capabilities/transparency/sealing/scrub.ts'
import type { ScrubState } from '../../../capabilities/transparency/sealing/scrubTable.ts'
import { readProgress } from '../../../capabilities/transparency/sealing/tables.ts'
import { BEGINNING } from '../../../contracts/position.ts'
import { CHECKPOINTS_STREAM } from '../../../contracts/streams.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { tamper } from '../../../test/support/databases/tamper.ts'
import { SCRUB_INTERVAL_MS, SealedTransparencyLog } from '../../../test/support/transparency/sealedTransparencyLog.ts'

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

const run = (sql: string, ...values: unknown[]) => tamper(harness.database, sql, values)

/** The store, with another way to read pages of all events. */
function readingBy(readAll: EventStore['readAll'], changes: Partial<EventStore> = {}): EventStore {
  const { store } = harness
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'readAll') return readAll
      const changed = Reflect.get(changes, name)
      if (changed !== undefined) return changed
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const scrubbed = () =>
  transparencyLog.until('a whole scrub has finished', async () => {
    const [row] = await run('select finished_at from ledger_log.scrub')
    return row?.finishedAt
  })

describe('a scrub reads nothing that was stored after it began', () => {
  beforeEach(async () => {
    await transparencyLog.charge(company, 5)
    transparencyLog.start()
    await transparencyLog.signed(5)
  })

  test('a company whose first event is not sealed yet', async () => {
    await transparencyLog.stop()
    await transparencyLog.charge(randomUUID(), 2)
    expect(await transparencyLog.scrub()).toEqual({ entries: 5 })
  })

  test('but all entries, although a restored event is held back and the sealer would resume before them', async () => {
    await transparencyLog.stop()
    await run("update ledger_log.progress set position = ''")
    expect(await transparencyLog.scrub()).toEqual({ entries: 5 })
  })

  test.each([2, 1_000])('companies and checkpoints that are created between its reads of %i events', async (limit) => {
    let size = 5
    const growing = readingBy(async (options) => {
      await transparencyLog.charge(randomUUID())
      size += 1
      await transparencyLog.signed(size)
      await transparencyLog.charge(randomUUID())
      size += 1
      return harness.store.readAll({ ...options, limit })
    })
    const { database: sql, clock } = transparencyLog
    const { signal } = new AbortController()
    expect(await scrubEntries({ sql, store: growing, clock, timeShare: 1 }, signal)).toEqual({ entries: 5 })
    expect(size).toBeGreaterThan(6)
  })
})

test.each([2, 3, 1_000])(
  'a scrub resumes from wherever it was when the log had fewer entries, in pages of %i',
  async (limit) => {
    await transparencyLog.charge(company, 5)
    transparencyLog.start()
    await transparencyLog.signed(5)
    await transparencyLog.stop()
    // Not sealed yet, and in the page of the last entries.
    await transparencyLog.charge(randomUUID(), 2)
    const { database: sql, clock } = transparencyLog
    const { signal } = new AbortController()
    const store = readingBy((options) => harness.store.readAll({ ...options, limit }))
    const states: ScrubState[] = []
    const onPage = async (state: ScrubState) => void states.push(state)
    await scrubEntries({ sql, store, clock, timeShare: 1, onPage }, signal)
    transparencyLog.start()
    await transparencyLog.signed(7)
    for (const resume of [null, ...states]) {
      expect(await scrubEntries({ sql, store, clock, timeShare: 1, resume }, signal)).toEqual({ entries: 7 })
    }
    expect(states.length).toBe(Math.floor(4 / limit))
  },
)

describe('a fault that the second reading does not show', () => {
  const tampered = (event: { data: object }) => ({ ...event, data: { ...event.data, amountMicros: '51' } })

  test('is not stored if a scrub has found it', async () => {
    await transparencyLog.charge(company, 3)
    let times = 0
    const flickering = readingBy(async (options) => {
      const page = await harness.store.readAll(options)
      times += 1
      return times === 1 ? { ...page, events: page.events.map(tampered as never) } : page
    })
    transparencyLog.start(flickering)
    await scrubbed()
    expect(times).toBeGreaterThan(1)
    expect(await readProgress(harness.database)).toMatchObject({ fault: null, faultEvent: null })
  })

  test('is not stored if others follow that are not confirmed either, in the same scrub or the next one', async () => {
    await transparencyLog.charge(company, 5)
    transparencyLog.start()
    await transparencyLog.signed(5)
    await transparencyLog.stop()
    await run("update ledger_log.scrub set position = '', finished_at = null")
    let times = 0
    const flickering = readingBy(async (options) => {
      const page = await harness.store.readAll({ ...options, limit: 2 })
      times += 1
      // The second and the third page, and the first one of the next scrub, each for once.
      return [2, 4, 6].includes(times) ? { ...page, events: page.events.map(tampered as never) } : page
    })
    transparencyLog.start(flickering)
    await scrubbed()
    await run('update ledger_log.scrub set finished_at = null')
    await scrubbed()
    expect(times).toBeGreaterThan(6)
    expect(await readProgress(harness.database)).toMatchObject({ fault: null, faultEvent: null })
  })

  test('is not stored if the sealer has found it, which then seals and signs, and neither is a later one', async () => {
    await transparencyLog.charge(company, 3)
    const forged = {
      origin: 'transparencyLog.example',
      size: 1,
      root: Buffer.alloc(32, 1).toString('base64'),
      note: '',
      signedAt: '',
    }
    let isWrong = true
    const { store } = harness
    const flickering = readingBy((options) => store.readAll(options), {
      subscribe: async function* (options) {
        for await (const batch of store.subscribe(options)) {
          const [first] = batch.events
          if (!isWrong || !first) yield batch
          else {
            isWrong = false
            const checkpoint = { ...first, stream: CHECKPOINTS_STREAM, type: 'CheckpointSigned', data: forged }
            yield { ...batch, events: [...batch.events, checkpoint as never] }
          }
        }
      },
    })
    transparencyLog.start(flickering)
    await transparencyLog.signed(3)
    expect(isWrong).toBe(false)
    isWrong = true
    await transparencyLog.charge(company)
    await transparencyLog.signed(4)
    expect(isWrong).toBe(false)
    expect(await readProgress(harness.database)).toMatchObject({ fault: null, faultEvent: null })
  })
})

describe('a fault that the second reading shows, too, is stored with the event', () => {
  let ids: string[]
  beforeEach(async () => {
    ids = await transparencyLog.charge(company, 3)
    transparencyLog.start()
    await transparencyLog.signed(3)
    await transparencyLog.stop()
  })

  test('after two readings of it', async () => {
    await run("update event_store.events set type = 'CreditsGranted' where event_id = $1", ids[1])
    let times = 0
    transparencyLog.start(
      readingBy((options) => {
        times += 1
        return harness.store.readAll(options)
      }),
    )
    expect((await transparencyLog.faulty()).faultEvent).toBe(ids[1])
    expect(times).toBe(2)
  })

  test('soon, although the store failed between the two readings', async () => {
    await run("update event_store.events set type = 'CreditsGranted' where event_id = $1", ids[1])
    const delays = vi.spyOn(transparencyLog.clock, 'delay')
    let times = 0
    transparencyLog.start(
      readingBy((options) => {
        times += 1
        if (times === 2) throw new Error('the store does not answer')
        return harness.store.readAll(options)
      }),
    )
    expect((await transparencyLog.faulty()).faultEvent).toBe(ids[1])
    expect(times).toBe(3)
    // The first scrub waits as long as there is between two scrubs.
    expect(delays.mock.calls.filter(([ms]) => ms >= SCRUB_INTERVAL_MS)).toHaveLength(1)
  })

  test('a checkpoint that was changed to cover more than is before it in the store', async () => {
    await transparencyLog.charge(company, 5)
    transparencyLog.start()
    await transparencyLog.signed(8)
    await transparencyLog.stop()
    await run("update ledger_log.scrub set position = ''")
    const [changed] = await run(
      `update event_store.events set data = (data::jsonb || '{"size": 9999}')::json
       where stream = 'log-checkpoints' and revision = 0 returning event_id`,
    )
    transparencyLog.start(readingBy((options) => harness.store.readAll({ ...options, limit: 2 })))
    const { fault, faultEvent } = await transparencyLog.faulty()
    expect(fault).toMatch(/^a checkpoint of 9999 entries was signed at .*: events were removed/)
    expect(faultEvent).toBe(changed?.eventId)
  })

  test('an event that was inserted behind the last entry', async () => {
    const [inserted] = await transparencyLog.charge(company)
    await run('update ledger_log.progress set position = $1', await harness.store.head())
    transparencyLog.start()
    expect(await transparencyLog.faulty()).toEqual({
      fault: `event ${inserted} was inserted into the store: the log has later events, and not this one`,
      faultEvent: inserted,
    })
  })

  test.each(['a scrub', 'the sealer'])(
    'a log secret that was deleted, by %s, and no other is created',
    async (finder) => {
      await run('delete from platform.log_secrets')
      const event = finder === 'a scrub' ? ids[0] : (await transparencyLog.charge(company))[0]
      transparencyLog.start()
      expect((await transparencyLog.faulty()).faultEvent).toBe(event)
      expect(await run('select 1 from platform.log_secrets')).toEqual([])
    },
  )

  test('a tile that was changed', async () => {
    const [first] = await transparencyLog.charge(company, 256)
    transparencyLog.start()
    await transparencyLog.signed(259)
    await transparencyLog.stop()
    // Entry 3 is the first of these.
    await run(
      'update ledger_log.tiles set hashes = set_byte(hashes, 100, get_byte(hashes, 100) # 1) where level = 0 and index = 0',
    )
    await expect(transparencyLog.scrub()).rejects.toMatchObject({ name: 'TransparencyFault', eventId: first })
  })

  test('a tile that was removed, also by a scrub that would have resumed within it', async () => {
    await transparencyLog.charge(company, 256)
    transparencyLog.start()
    await transparencyLog.signed(259)
    await transparencyLog.stop()
    await run('delete from ledger_log.tiles where level = 0 and index = 0')
    const missing = { name: 'TransparencyFault', message: expect.stringContaining('no tile 0 of level 0') }
    await expect(transparencyLog.scrub()).rejects.toMatchObject(missing)
    const { database: sql, store, clock } = transparencyLog
    const { generation } = await readProgress(sql)
    const resume = { generation, position: BEGINNING, size: 100, root: Buffer.alloc(32), checkpoints: 0 }
    const resumed = scrubEntries({ sql, store, clock, timeShare: 1, resume }, new AbortController().signal)
    await expect(resumed).rejects.toMatchObject(missing)
  })

  test('not by a sealer that another one has replaced', async () => {
    await run("update event_store.events set type = 'CreditsGranted' where event_id = $1", ids[1])
    let times = 0
    transparencyLog.start(
      readingBy(async (options) => {
        times += 1
        if (times === 2) await run('update ledger_log.progress set epoch = epoch + 1')
        if (times > 2) await run("update event_store.events set type = 'CallCharged' where event_id = $1", ids[1])
        return harness.store.readAll(options)
      }),
    )
    await scrubbed()
    expect((await readProgress(harness.database)).fault).toBeNull()
  })
})

describe('a scrub that was interrupted', () => {
  const ENTRIES = 250
  const PAGE_EVENTS = 100

  /** Starts a sealer and stops it while its scrub reads the second page. Returns how far the scrub came. */
  async function interrupt(): Promise<string> {
    let isReached = false
    const goOn = Promise.withResolvers<void>()
    let pages = 0
    const halting = readingBy(async (options) => {
      pages += 1
      if (pages === 2) {
        isReached = true
        await goOn.promise
      }
      return harness.store.readAll({ ...options, limit: PAGE_EVENTS })
    })
    const sealer = transparencyLog.start(halting)
    await transparencyLog.until('the second page is read', async () => isReached)
    const stopped = sealer.drain(10_000)
    goOn.resolve()
    await stopped
    const [row] = await run('select position from ledger_log.scrub')
    return String(row?.position)
  }

  /** The positions from which the next scrub reads its pages. */
  async function nextReads(): Promise<string[]> {
    await run('update ledger_log.scrub set finished_at = null')
    const reads: string[] = []
    const recording = readingBy((options) => {
      reads.push(options.after)
      return harness.store.readAll(options)
    })
    transparencyLog.start(recording)
    await scrubbed()
    await transparencyLog.stop()
    return reads
  }

  beforeEach(async () => {
    await transparencyLog.charge(company, ENTRIES)
    transparencyLog.start()
    await transparencyLog.signed(ENTRIES)
    await transparencyLog.stop()
    // This sealer may have begun a scrub.
    await run("update ledger_log.scrub set position = ''")
  })

  test('resumes after a restart, and the one after it starts from the beginning', async () => {
    const after = await interrupt()
    expect(after).not.toBe('')
    expect((await nextReads())[0]).toBe(after)
    expect((await nextReads())[0]).toBe('')
  })

  test('finds changes in the rest, and the next one finds earlier changes', async () => {
    await interrupt()
    const [early, late] = (await transparencyLog.entries()).flatMap(({ eventId }, at) =>
      at === 5 || at === 240 ? [eventId] : [],
    )
    await run("update event_store.events set type = 'CreditsGranted' where event_id = any($1)", [early, late])
    transparencyLog.start()
    expect((await transparencyLog.faulty()).faultEvent).toBe(late)
    await expect(transparencyLog.scrub()).rejects.toMatchObject({ eventId: early })
  })

  test.each([
    ['a log that was rebuilt', 'update ledger_log.progress set generation = generation + 1'],
    ['a position beyond the log', 'update ledger_log.scrub set size = 9999'],
    ['tiles that give another root', `update ledger_log.scrub set root = sha256('')`],
  ])('starts from the beginning: %s', async (_, change) => {
    await interrupt()
    await run(change)
    expect((await nextReads())[0]).toBe('')
  })
})

test('a scrub works for its share of the time and rests after each page', async () => {
  await transparencyLog.charge(company, 4)
  transparencyLog.start()
  await transparencyLog.signed(4)
  await transparencyLog.stop()
  await run("update ledger_log.scrub set position = '', finished_at = null")
  const delays = vi.spyOn(transparencyLog.clock, 'delay')
  const reading = readingBy((options) => {
    transparencyLog.clock.stall(100)
    return harness.store.readAll({ ...options, limit: 2 })
  })
  transparencyLog.scrubShare = 0.1
  transparencyLog.start(reading)
  await scrubbed()
  // While a page is read, the clock moves by these 100 ms and by steps of 500 ms.
  const rests = delays.mock.calls.filter(([ms]) => ms % 4_500 === 900)
  expect(rests.length).toBeGreaterThan(1)
})

test('a receipt that did not verify is forgotten when a scrub that began after it has found no difference', async () => {
  const { database } = harness
  const eventId = randomUUID()
  await saveReceiptFault(database, eventId, 'the event in the store is not the one that was logged')
  expect(await readFault(database)).toMatchObject({ eventId })
  transparencyLog.start()
  expect(await transparencyLog.metrics[0]?.metrics()).toMatch(/^tollgate_log_fault 1$/m)
  await scrubbed()
  expect(await readFault(database)).toBeNull()
  await transparencyLog.stop()
  // A scrub that had begun before it says nothing about it.
  await saveReceiptFault(database, eventId, 'it was changed')
  await transparencyLog.charge(company)
  await run(
    "update ledger_log.scrub set finished_at = null, position = '0000000000000000', began_at = began_at - interval '1 hour'",
  )
  await run('update ledger_log.scrub set root = $1, generation = 0', new GrowingTree().root())
  transparencyLog.start()
  await scrubbed()
  expect(await readFault(database)).toMatchObject({ eventId })
})

test('the age of the last whole scrub is a metric', async () => {
  transparencyLog.start()
  const age = async () =>
    Number(/^tollgate_log_scrub_age_seconds (.*)$/m.exec((await transparencyLog.metrics[0]?.metrics()) ?? '')?.[1])
  await run("update ledger_log.scrub set created_at = created_at - interval '1 day'")
  expect(await age()).toBeGreaterThan(86_000)
  await scrubbed()
  expect(await age()).toBeLessThan(3_600)
  await run("update ledger_log.scrub set finished_at = finished_at - interval '2 days'")
  expect(await age()).toBeGreaterThan(172_000)
})
