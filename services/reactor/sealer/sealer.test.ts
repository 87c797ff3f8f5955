import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CHECKPOINT_INTERVAL_MS } from '../../../capabilities/transparency/checkpoint.ts'
import { CHECKPOINTS_STREAM } from '../../../contracts/streams.ts'
import { AppendOutcomeUnknown, type EventStore } from '../../../platform/eventStore/port.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
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

describe('the sealer', () => {
  test('seals the events of all companies in store order and signs what it has', async () => {
    const other = randomUUID()
    const ids = [
      ...(await transparencyLog.charge(company, 2)),
      ...(await transparencyLog.charge(other)),
      ...(await transparencyLog.charge(company)),
    ]
    transparencyLog.start()
    await transparencyLog.signed(4)
    const entries = await transparencyLog.entries()
    expect(entries.map(({ eventId }) => eventId)).toEqual(ids)
    expect(entries.map(({ number }) => number)).toEqual(['0', '1', '0', '2'])
    expect(await transparencyLog.scrub()).toEqual({ entries: 4 })
  })

  test('signs nothing while nothing is new, and at most one checkpoint in ten seconds', async () => {
    await transparencyLog.charge(company)
    transparencyLog.start()
    await transparencyLog.signed(1)
    const signedAt = transparencyLog.clock.now()
    await transparencyLog.charge(company)
    await transparencyLog.signed(2)
    expect(transparencyLog.clock.now() - signedAt).toBeGreaterThanOrEqual(CHECKPOINT_INTERVAL_MS - 2_000)
    await transparencyLog.clock.advance(10 * CHECKPOINT_INTERVAL_MS)
    const [first, second, ...more] = (await transparencyLog.checkpoints()).map(
      ({ data }) => data as { signedAt: string },
    )
    expect(more).toEqual([])
    expect(Date.parse(second?.signedAt ?? '') - Date.parse(first?.signedAt ?? '')).toBeGreaterThanOrEqual(
      CHECKPOINT_INTERVAL_MS,
    )
  })

  test('signs again soon although the clock of its predecessor was a month ahead', async () => {
    await transparencyLog.charge(company)
    transparencyLog.start()
    await transparencyLog.signed(1)
    await transparencyLog.stop()
    await harness.database.query("update ledger_log.checkpoints set signed_at = signed_at + interval '30 days'")
    await transparencyLog.charge(company)
    const startedMs = transparencyLog.clock.now()
    transparencyLog.start()
    await transparencyLog.signed(2)
    expect(transparencyLog.clock.now() - startedMs).toBeLessThan(86_400_000)
  })

  test('continues the tree, the chains and the checkpoints after a restart', async () => {
    await transparencyLog.charge(company, 300)
    transparencyLog.start()
    await transparencyLog.signed(300)
    await transparencyLog.stop()
    await transparencyLog.charge(company, 300)
    transparencyLog.start()
    await transparencyLog.signed(600)
    expect(await transparencyLog.scrub()).toEqual({ entries: 600 })
    const sizes = (await transparencyLog.checkpoints()).map(({ data }) => data.size)
    expect(sizes).toEqual([300, 600])
  })

  test('of two sealers one works at a time, and both together seal each event once', async () => {
    transparencyLog.start()
    const second = transparencyLog.start()
    await transparencyLog.charge(company, 10)
    await transparencyLog.signed(10)
    await second.drain(10_000)
    await transparencyLog.charge(company, 10)
    await transparencyLog.signed(20)
    expect(await transparencyLog.scrub()).toEqual({ entries: 20 })
    const roots = (await transparencyLog.checkpoints()).map(({ data }) => `${data.size} ${data.root}`)
    expect(new Set(roots).size).toBe(roots.length)
  })

  test('looks for a checkpoint whose append had an unknown outcome before it signs another', async () => {
    const { store } = harness
    let lost = 0
    const forgetful: EventStore = {
      ...{ idsAreUnique: true, foreignEvents: () => store.foreignEvents(), close: () => store.close() },
      append: async (stream, expected, events) => {
        const stored = await store.append(stream, expected, events)
        if (stream !== CHECKPOINTS_STREAM || ++lost > 2) return stored
        throw new AppendOutcomeUnknown(stream, 'the connection broke after the commit')
      },
      readStream: (stream, options) => store.readStream(stream, options),
      readAll: (options) => store.readAll(options),
      subscribe: (options) => store.subscribe(options),
      head: () => store.head(),
      parsePosition: (text) => store.parsePosition(text),
      eventsAfter: (position) => store.eventsAfter(position),
    }
    await transparencyLog.charge(company, 3)
    transparencyLog.start(forgetful)
    await transparencyLog.signed(3)
    await transparencyLog.charge(company)
    await transparencyLog.signed(4)
    expect((await transparencyLog.checkpoints()).map(({ data }) => data.size)).toEqual([3, 4])
    expect(lost).toBeGreaterThan(2)
  })

  test('continues after a write that was interrupted, or whose answer was lost, and has no entry twice', async () => {
    const { database } = harness
    let statements = 0
    let writes = 0
    const dying: PostgresDatabase = {
      ...database,
      query: async (text, values, name) => {
        if (!text.includes('.entries (index')) return database.query(text, values, name)
        const nth = ++statements % 3
        if (nth === 1) throw new Error('the process was killed before the commit')
        const rows = await database.query(text, values, name)
        if (nth === 2) throw new Error('the connection broke after the commit')
        return rows as never
      },
      transaction: (work, options) =>
        database.transaction(async (sql) => {
          const result = await work(sql)
          if (++writes % 2 === 1) throw new Error('the process was killed before the commit')
          return result
        }, options),
    }
    await transparencyLog.charge(company, 3)
    transparencyLog.start(harness.store, dying)
    await transparencyLog.signed(3)
    await transparencyLog.charge(company, 2)
    await transparencyLog.signed(5)
    expect(statements).toBeGreaterThan(1)
    expect(writes).toBeGreaterThan(1)
    expect(await transparencyLog.scrub()).toEqual({ entries: 5 })
  })

  test('creates one secret for each company, which stays', async () => {
    await transparencyLog.charge(company)
    transparencyLog.start()
    await transparencyLog.signed(1)
    const secrets = () => harness.database.query('select company_id, secret from platform.log_secrets')
    const before = await secrets()
    await transparencyLog.stop()
    transparencyLog.start()
    await transparencyLog.charge(company)
    await transparencyLog.signed(2)
    expect(await secrets()).toEqual(before)
    expect(before).toHaveLength(1)
  })

  test('keeps the order that restored events had in the log, and seals those without an index after them', async () => {
    const restored = { recordedAt: '2026-01-01T00:00:00.000Z' }
    const [second = ''] = await transparencyLog.charge(company, 1, { ...restored, logIndex: 1 })
    const [unsealed = ''] = await transparencyLog.charge(randomUUID(), 1, restored)
    const [first = ''] = await transparencyLog.charge(randomUUID(), 1, { ...restored, logIndex: 0 })
    const [since = ''] = await transparencyLog.charge(company)
    transparencyLog.start()
    await transparencyLog.signed(4)
    expect((await transparencyLog.entries()).map(({ eventId }) => eventId)).toEqual([first, second, unsealed, since])
    expect(await transparencyLog.scrub()).toEqual({ entries: 4 })
  })

  test('seals restored events without an index although nothing was written since, and a scrub agrees', async () => {
    const restored = { recordedAt: '2026-01-01T00:00:00.000Z' }
    const [first = ''] = await transparencyLog.charge(company, 1, { ...restored, logIndex: 0 })
    const [unsealed = ''] = await transparencyLog.charge(company, 1, restored)
    transparencyLog.start()
    await transparencyLog.signed(2)
    expect((await transparencyLog.entries()).map(({ eventId }) => eventId)).toEqual([first, unsealed])
    expect(await transparencyLog.scrub()).toEqual({ entries: 2 })
  })
})
