import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CHECKPOINT_INTERVAL_MS } from '../../../capabilities/transparency/checkpoint.ts'
import { CHECKPOINTS_STREAM } from '../../../contracts/streams.ts'
import { AppendOutcomeUnknown, type EventStore } from '../../../platform/eventStore/port.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { SealedTransparencyLog } from '../../../test/support/transparency/sealedTransparencyLog.ts'

let harness: PostgresStoreHarness
let log: SealedTransparencyLog
const company = randomUUID()
beforeEach(async () => {
  harness = await PostgresStoreHarness.open()
  log = new SealedTransparencyLog(harness.database, harness.store)
})
afterEach(async () => {
  await log.stop()
  await harness.close()
})

describe('the sealer', () => {
  test('seals the events of all companies in store order and signs what it has', async () => {
    const other = randomUUID()
    const ids = [...(await log.charge(company, 2)), ...(await log.charge(other)), ...(await log.charge(company))]
    log.start()
    await log.signed(4)
    const entries = await log.entries()
    expect(entries.map(({ eventId }) => eventId)).toEqual(ids)
    expect(entries.map(({ number }) => number)).toEqual(['0', '1', '0', '2'])
    expect(await log.scrub()).toEqual({ entries: 4 })
  })

  test('signs nothing while nothing is new, and at most one checkpoint in ten seconds', async () => {
    await log.charge(company)
    log.start()
    await log.signed(1)
    const signedAt = log.clock.now()
    await log.charge(company)
    await log.signed(2)
    expect(log.clock.now() - signedAt).toBeGreaterThanOrEqual(CHECKPOINT_INTERVAL_MS - 2_000)
    await log.clock.advance(10 * CHECKPOINT_INTERVAL_MS)
    const [first, second, ...more] = (await log.checkpoints()).map(({ data }) => data as { signedAt: string })
    expect(more).toEqual([])
    expect(Date.parse(second?.signedAt ?? '') - Date.parse(first?.signedAt ?? '')).toBeGreaterThanOrEqual(
      CHECKPOINT_INTERVAL_MS,
    )
  })

  test('continues the tree, the chains and the checkpoints after a restart', async () => {
    await log.charge(company, 300)
    log.start()
    await log.signed(300)
    await log.stop()
    await log.charge(company, 300)
    log.start()
    await log.signed(600)
    expect(await log.scrub()).toEqual({ entries: 600 })
    const sizes = (await log.checkpoints()).map(({ data }) => data.size)
    expect(sizes).toEqual([300, 600])
  })

  test('of two sealers one works at a time, and both together seal each event once', async () => {
    log.start()
    const second = log.start()
    await log.charge(company, 10)
    await log.signed(10)
    await second.drain(10_000)
    await log.charge(company, 10)
    await log.signed(20)
    expect(await log.scrub()).toEqual({ entries: 20 })
    const roots = (await log.checkpoints()).map(({ data }) => `${data.size} ${data.root}`)
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
    await log.charge(company, 3)
    log.start(forgetful)
    await log.signed(3)
    await log.charge(company)
    await log.signed(4)
    expect((await log.checkpoints()).map(({ data }) => data.size)).toEqual([3, 4])
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
    await log.charge(company, 3)
    log.start(harness.store, dying)
    await log.signed(3)
    await log.charge(company, 2)
    await log.signed(5)
    expect(statements).toBeGreaterThan(1)
    expect(writes).toBeGreaterThan(1)
    expect(await log.scrub()).toEqual({ entries: 5 })
  })

  test('creates one secret for each company, which stays', async () => {
    await log.charge(company)
    log.start()
    await log.signed(1)
    const secrets = () => harness.database.query('select company_id, secret from platform.log_secrets')
    const before = await secrets()
    await log.stop()
    log.start()
    await log.charge(company)
    await log.signed(2)
    expect(await secrets()).toEqual(before)
    expect(before).toHaveLength(1)
  })

  test('keeps the order that restored events had in the log, and seals those without an index after them', async () => {
    const restored = { recordedAt: '2026-01-01T00:00:00.000Z' }
    const [second = ''] = await log.charge(company, 1, { ...restored, logIndex: 1 })
    const [unsealed = ''] = await log.charge(randomUUID(), 1, restored)
    const [first = ''] = await log.charge(randomUUID(), 1, { ...restored, logIndex: 0 })
    const [since = ''] = await log.charge(company)
    log.start()
    await log.signed(4)
    expect((await log.entries()).map(({ eventId }) => eventId)).toEqual([first, second, unsealed, since])
    expect(await log.scrub()).toEqual({ entries: 4 })
  })
})
