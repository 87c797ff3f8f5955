import pg from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { BEGINNING } from '../../../contracts/position.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { anEvent, collect } from '../../../test/support/events/events.ts'
import { until } from '../../../test/support/time/until.ts'
import { systemClock } from '../../clock/clock.ts'
import { AppendOutcomeUnknown, StoreUnavailable, WrongExpectedRevision } from '../port.ts'
import { PostgresEventStore } from './postgresEventStore.ts'

let harness: PostgresStoreHarness
let { database, store, stranger } = {} as PostgresStoreHarness
beforeEach(async () => {
  harness = await PostgresStoreHarness.open()
  ;({ database, store, stranger } = harness)
})
afterEach(() => harness.close())

test('positions have no gaps, even after rollbacks and refusals', async () => {
  await store.append('test-1', 'any', [anEvent()])
  await stranger.query('begin')
  await harness.appendByHand('test-2', anEvent())
  await stranger.query('rollback')
  await Promise.allSettled([
    store.append('test-1', 7, [anEvent()]),
    store.append('test-1', 'none', [anEvent(), anEvent()]),
    store.append('test-3', 'none', [anEvent(), anEvent()]),
  ])
  await store.append('test-1', 0, [anEvent()])
  expect(await harness.positions()).toEqual([1, 2, 3, 4])
  expect(await store.head()).toBe('0000000000000004')
})

test('a read of few categories skips the events of others inside the database', async () => {
  const others = Array.from({ length: 200 }, (_, n) => store.append(`other-${n}`, 'none', [anEvent()]))
  await Promise.all(others)
  await store.append('wanted-1', 'none', [anEvent()])
  let rows = 0
  const query: typeof database.query = async (...args) => {
    const found = await database.query(...args)
    rows += found.length
    return found as never
  }
  const counted = new PostgresEventStore({ ...database, query }, systemClock)
  const batch = await counted.readAll({ after: BEGINNING, categories: ['wanted'], limit: 10 })
  expect([batch.events.length, batch.position]).toEqual([1, await store.head()])
  expect(rows).toBeLessThan(5)
  await counted.close()
})

describe('group commit', () => {
  const transactions = async () => {
    const [row] = await database.query<{ count: string }>('select count(distinct xmin::text) from event_store.events')
    return Number(row?.count)
  }

  test('stores 200 concurrent appends in a handful of transactions', async () => {
    await Promise.all(Array.from({ length: 200 }, (_, n) => store.append(`test-${n % 50}`, 'any', [anEvent()])))
    expect(await harness.positions()).toHaveLength(200)
    expect(await transactions()).toBeLessThanOrEqual(5)
  })

  test('stores the other appends of a transaction when one is refused', async () => {
    const repeated = anEvent()
    const before = await store.append('test-0', 'none', [repeated])
    const results = await Promise.allSettled([
      store.append('test-1', 'any', [anEvent()]),
      store.append('test-2', 5, [anEvent()]),
      store.append('test-0', 'any', [repeated]),
      store.append('test-3', 'none', [anEvent(), anEvent()]),
      store.append('test-1', 'any', [anEvent()]),
    ])
    expect(results).toMatchObject([
      { value: { revision: 0, repeated: false } },
      { reason: expect.any(WrongExpectedRevision) },
      { value: { ...before, repeated: true } },
      { value: { revision: 1, repeated: false } },
      { value: { revision: 1, repeated: false } },
    ])
    expect(await harness.positions()).toEqual([1, 2, 3, 4, 5])
    expect(await transactions()).toBe(2)
  })
})

function nameOf(client: pg.Client): unknown {
  return (client as unknown as { connectionParameters: { application_name: unknown } }).connectionParameters
    .application_name
}

describe('an append', () => {
  test('that times out has an unknown outcome, and is stored once if it is repeated', async () => {
    const hasty = new PostgresEventStore(database, systemClock, { appendTimeoutMs: 500 })
    const event = anEvent()
    await stranger.query('begin')
    await stranger.query('select * from event_store.counter for update')
    await expect(hasty.append('test-1', 'any', [event])).rejects.toBeInstanceOf(AppendOutcomeUnknown)
    await stranger.query('commit')
    const repeated = await until('it is repeated in time', () =>
      hasty.append('test-1', 'any', [event]).catch(() => null),
    )
    expect(repeated).toMatchObject({ revision: 0 })
    expect(await collect(store.readStream('test-1'))).toHaveLength(1)
    await hasty.close()
  })

  test('to an unreachable database is reported as not stored', async () => {
    const nowhere = new URL(database.url)
    nowhere.port = '1'
    const connecting = { connectionString: nowhere.href }
    const lost = new PostgresEventStore({ ...database, url: nowhere.href, connecting }, systemClock)
    await expect(lost.append('test-1', 'any', [anEvent()])).rejects.toBeInstanceOf(StoreUnavailable)
    await lost.close()
  })

  test('to a read-only database fails as unavailable, so that it can be repeated later', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await stranger.query(`alter database ${name} set default_transaction_read_only to on`)
    const event = anEvent()
    await expect(store.append('test-1', 'any', [event])).rejects.toBeInstanceOf(StoreUnavailable)
    await stranger.query('set default_transaction_read_only to off')
    await stranger.query(`alter database ${name} reset default_transaction_read_only`)
    const again = new PostgresEventStore(database, systemClock)
    expect(await again.append('test-1', 'any', [event])).toMatchObject({ revision: 0, repeated: false })
    await again.close()
  })

  test('opens a new connection when the last one was killed', async () => {
    await store.append('test-1', 'any', [anEvent()])
    const [session] = await harness.sessions('appends')
    await harness.endSession(session?.pid)
    await until('the next is stored', () => store.append('test-1', 'any', [anEvent()]).catch(() => null))
    expect((await harness.sessions('appends')).length).toBe(1)
  })

  test('keeps its new connection when the broken one emits another error', async () => {
    const connect = vi.spyOn(pg.Client.prototype, 'connect')
    onTestFinished(() => connect.mockRestore())
    await store.append('test-1', 'any', [anEvent()])
    const first = connect.mock.contexts[0] as pg.Client
    expect(nameOf(first)).toBe('tollgate appends')
    first.emit('error', new Error('broken'))
    await store.append('test-1', 'any', [anEvent()])
    first.emit('error', new Error('still broken'))
    await store.append('test-1', 'any', [anEvent()])
    // The pool, which notifies listeners, may also connect.
    const writers = connect.mock.contexts.filter((client) => nameOf(client as pg.Client) === 'tollgate appends')
    expect(writers).toHaveLength(2)
  })

  test('notifies listeners of its position, whether its stream is new or not', async () => {
    const heard: string[] = []
    stranger.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await stranger.query('listen event_store')
    await store.append('test-1', 'any', [anEvent()])
    await until('the first append is heard', () => heard.includes('1'))
    await store.append('test-1', 'any', [anEvent()])
    await until('the second append is heard', () => heard.includes('2'))
    await store.append('test-2', 'any', [anEvent(), anEvent()])
    await until('an append of two events is heard', () => heard.includes('4'))
  })
})

test('a read of the end of a long stream starts with a small page', async () => {
  for (let n = 0; n < 3; n++) {
    await store.append(
      'test-1',
      'any',
      Array.from({ length: 100 }, () => anEvent()),
    )
  }
  const queries = vi.spyOn(database, 'query')
  onTestFinished(() => queries.mockRestore())
  for await (const { revision } of store.readStream('test-1', { direction: 'backwards' })) if (revision === 298) break
  // Listeners may be notified of the appends as well.
  const reads = queries.mock.results.filter((_, n) => queries.mock.calls[n]?.[0].includes('from event_store.events'))
  const [rows] = await Promise.all(reads.map(({ value }) => value))
  expect([reads.length, rows.length]).toEqual([1, 50])
})

describe('an append whose outcome was unknown when its time was over', () => {
  // Enough for a busy machine to store whatever is not held up.
  const TIMEOUT_MS = 1_500
  let impatient: PostgresEventStore
  beforeEach(() => {
    impatient = new PostgresEventStore(database, systemClock, { appendTimeoutMs: TIMEOUT_MS })
  })
  afterEach(() => impatient.close())

  test('is not stored when the counter is free again', async () => {
    await impatient.append('test-1', 'any', [anEvent()])
    await stranger.query('begin')
    await stranger.query('select from event_store.counter for update')
    const late = impatient.append('test-1', 'any', [anEvent()])
    await expect(late).rejects.toBeInstanceOf(AppendOutcomeUnknown)
    await stranger.query('rollback')
    await until('it has ended', async () => (await harness.sessions('appends', "state = 'active'")).length === 0)
    expect(await harness.positions()).toEqual([1])
    await impatient.append('test-1', 'any', [anEvent()])
    expect(await harness.positions()).toEqual([1, 2])
  })

  test('is stored if the counter is free in time, whatever the clock of this process says', async () => {
    const wrong = { ...systemClock, now: () => systemClock.now() - 3_600_000 }
    const store = new PostgresEventStore(database, wrong, { appendTimeoutMs: 10_000 })
    onTestFinished(() => store.close())
    await stranger.query('begin')
    await stranger.query('select from event_store.counter for update')
    const append = store.append('test-1', 'any', [anEvent()])
    await until('it waits', async () => (await harness.sessions('appends', "wait_event_type = 'Lock'")).length > 0)
    await stranger.query('rollback')
    expect(await append).toMatchObject({ revision: 0 })
  })
})

test('a database whose clock was set forward refuses an append once, and takes the next', async () => {
  let monotonicMs = 1_000_000
  const store = new PostgresEventStore(database, { ...systemClock, monotonicMs: () => monotonicMs })
  onTestFinished(() => store.close())
  await store.append('test-1', 'any', [anEvent()])
  // To the writer it looks the same: its own time has moved less than that of the database.
  monotonicMs -= 60_000
  await expect(store.append('test-1', 'any', [anEvent()])).rejects.toThrow(StoreUnavailable)
  await store.append('test-1', 'any', [anEvent()])
  expect(await harness.positions()).toEqual([1, 2])
})

test('a gateway of an earlier version, which sends no deadline, can still append', async () => {
  await harness.appendByHand('test-1', anEvent())
  expect(await harness.positions()).toEqual([1])
})
