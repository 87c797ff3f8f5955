import net from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BEGINNING } from '../../../contracts/position.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { anEvent } from '../../../test/support/events/events.ts'
import { until } from '../../../test/support/time/until.ts'
import { systemClock } from '../../clock/clock.ts'
import { LiveTail } from './liveTail.ts'

let harness: PostgresStoreHarness
let { store, stranger } = {} as PostgresStoreHarness
beforeEach(async () => {
  harness = await PostgresStoreHarness.open()
  ;({ store, stranger } = harness)
})
afterEach(() => harness.close())

describe('a subscription', () => {
  test('does not stall behind an unrelated transaction that wrote and stays open', async () => {
    await stranger.query('create table elsewhere (n int)')
    await stranger.query('begin')
    await stranger.query('insert into elsewhere values (1)')
    const { rows } = await stranger.query('select pg_current_xact_id_if_assigned() as xid')
    expect(rows[0].xid).not.toBeNull()
    const { seen, stop } = harness.follow()
    for (let n = 0; n < 3; n++) {
      await store.append('test-1', 'any', [anEvent({ n })])
      await until('the event comes', () => seen.length === n + 1)
    }
    await stranger.query('commit')
    await stop()
  })

  test('never skips an append that commits late: later appends come after it', async () => {
    const { seen, stop } = harness.follow()
    await store.append('test-1', 'any', [anEvent({ n: 0 })])
    await until('the first comes', () => seen.length === 1)
    await stranger.query('begin')
    await harness.appendByHand('test-2', anEvent({ n: 'late' }))
    const meanwhile = store.append('test-3', 'any', [anEvent({ n: 'meanwhile' })])
    await until('the other append waits', async () => {
      return (await harness.sessions('appends', "wait_event_type = 'Lock'")).length > 0
    })
    expect(seen.map((event) => event.data.n)).toEqual([0])
    await stranger.query('commit')
    await meanwhile
    await until('all three come', () => seen.length === 3)
    expect(seen.map((event) => event.data.n)).toEqual([0, 'late', 'meanwhile'])
    expect(seen.map((event) => Number(event.position))).toEqual([1, 2, 3])
    await stop()
  })

  test('recovers from the loss of the listening connection and of its notifications', async () => {
    const { seen, stop } = harness.follow()
    await store.append('test-1', 'any', [anEvent()])
    await until('the first comes', () => seen.length === 1)
    const listener = await until('the tail listens', async () => (await harness.sessions('live tail'))[0])
    await harness.endSession(listener.pid)
    await store.append('test-1', 'any', [anEvent()])
    await until('the second comes', () => seen.length === 2)
    await until('the tail listens again', async () => (await harness.sessions('live tail'))[0])
    await store.append('test-1', 'any', [anEvent()])
    await until('the third comes', () => seen.length === 3)
    await stop()
  })

  test('finds an event without a notification by its poll', async () => {
    const { seen, stop } = harness.follow()
    await store.append('test-1', 'any', [anEvent()])
    await until('the first comes', () => seen.length === 1)
    await stranger.query(`
      with taken as (update event_store.counter set position = position + 1 returning position)
      insert into event_store.events
      select position, 0, 0, gen_random_uuid(), now(), 'test-2', 'Unnotified', '{}', '{}' from taken`)
    await until('the second comes', () => seen.length === 2)
    await stop()
  })

  test('stops listening under heavy load, still gets every event, and listens again afterwards', async () => {
    const { seen, stop } = harness.follow()
    const lastQueryIs = async (verb: string) =>
      (await harness.sessions('live tail', `query like '${verb} %'`)).length > 0
    let appended = 0
    await until('it does not listen any more', async () => {
      await store.append(
        'test-1',
        'any',
        Array.from({ length: 100 }, () => anEvent()),
      )
      appended += 100
      return lastQueryIs('unlisten')
    })
    await harness.appendByHand('test-2', anEvent())
    await until('all come', () => seen.length === appended + 1)
    await until('it listens again', () => lastQueryIs('listen'))
    await stop()
  })

  test('continues after the database ended all of its connections', async () => {
    const { seen, stop } = harness.follow()
    await store.append('test-1', 'any', [anEvent()])
    await until('the first comes', () => seen.length === 1)
    await stranger.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await until('the next is stored', () => store.append('test-1', 'any', [anEvent()]).catch(() => null))
    await until('it comes', () => seen.length >= 2)
    await stop()
  })
})

test('a tail can be closed while it connects to a server that never answers', async () => {
  const silent = net.createServer({ allowHalfOpen: true })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const connected = new Promise((resolve) => silent.once('connection', resolve))
  const { port } = silent.address() as net.AddressInfo
  const tail = new LiveTail({
    connecting: { connectionString: `postgres://user@127.0.0.1:${port}/nothing` },
    readAfter: async () => ({ events: [], bytes: 0, isFull: false }),
    clock: systemClock,
  })
  const waiting = tail.more(BEGINNING, new AbortController().signal)
  await connected
  await tail.close()
  await waiting
  silent.close()
})
