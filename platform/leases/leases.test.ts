import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../test/support/databases/openTestDatabase.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { until } from '../../test/support/time/until.ts'
import { systemClock } from '../clock/clock.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import { readLeases, releaseLease, renewLease, takeLease } from './leases.ts'
import { type Leadership, type LeadershipOptions, whileLeading } from './whileLeading.ts'

const LONG_MS = 60_000
let database: PostgresDatabase
let close: () => Promise<void>

beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('migrated'))
})
afterAll(() => close())
beforeEach(() => database.query('delete from platform.leases'))

const expire = () => database.query("update platform.leases set expires_at = clock_timestamp() - interval '1 ms'")

describe('a lease', () => {
  test('has one holder at a time', async () => {
    const attempts = ['a', 'b', 'c', 'd'].map((holder) => takeLease(database, 'work', holder, LONG_MS))
    expect((await Promise.all(attempts)).filter((epoch) => epoch !== null)).toEqual([1])
    expect(await takeLease(database, 'other work', 'b', LONG_MS)).toBe(1)
  })

  test('that has expired goes to the next holder with a higher epoch, and the first holder cannot renew it', async () => {
    const first = (await takeLease(database, 'work', 'a', LONG_MS)) ?? 0
    expect(await renewLease(database, 'work', first, LONG_MS)).toBe(true)
    await expire()
    expect(await takeLease(database, 'work', 'b', LONG_MS)).toBe(first + 1)
    expect(await renewLease(database, 'work', first, LONG_MS)).toBe(false)
  })

  test('that has expired but is still free can be renewed', async () => {
    const epoch = (await takeLease(database, 'work', 'a', LONG_MS)) ?? 0
    await expire()
    expect(await renewLease(database, 'work', epoch, LONG_MS)).toBe(true)
    expect(await takeLease(database, 'work', 'b', LONG_MS)).toBeNull()
  })

  test('is free at once when its holder releases it, and no other process can release it', async () => {
    const epoch = (await takeLease(database, 'work', 'a', LONG_MS)) ?? 0
    await releaseLease(database, 'work', epoch - 1)
    expect(await takeLease(database, 'work', 'b', LONG_MS)).toBeNull()
    await releaseLease(database, 'work', epoch)
    expect(await takeLease(database, 'work', 'b', LONG_MS)).toBe(epoch + 1)
  })

  test('is listed with its holder and the time left', async () => {
    await takeLease(database, 'work', 'a', LONG_MS)
    const [lease] = await readLeases(database)
    expect(lease).toMatchObject({ name: 'work', holder: 'a', epoch: 1 })
    expect(lease && lease.msLeft > LONG_MS / 2 && lease.msLeft <= LONG_MS).toBe(true)
  })
})

describe('while leading', () => {
  const SHORT_MS = 1_000

  /** Works until the test ends it or makes it fail, and records its terms. */
  function candidate(holder: string, changes: Partial<LeadershipOptions> = {}) {
    const stopping = new AbortController()
    const terms: Leadership[] = []
    const troubles: unknown[] = []
    let leads = false
    let fail: (error: Error) => void = () => {}
    const ended = whileLeading(
      {
        ...{ database, clock: systemClock, name: 'work', holder, ttlMs: LONG_MS, renewalMs: 50 },
        onLeading: (isLeading) => {
          leads = isLeading
        },
        onTrouble: (error) => troubles.push(error),
        ...changes,
      },
      async (leadership) => {
        terms.push(leadership)
        await new Promise<void>((resolve, reject) => {
          fail = reject
          leadership.signal.addEventListener('abort', () => resolve())
        })
      },
      stopping.signal,
    )
    const stop = async () => {
      stopping.abort()
      await ended
    }
    return { terms, troubles, stop, leads: () => leads, fail: (error: Error) => fail(error) }
  }

  test('one of two processes works as long as it renews the lease, and the other takes over when it stops', async () => {
    const [one, two] = [candidate('one'), candidate('two')]
    await until('one of them leads', () => one.leads() || two.leads())
    const [leader, other] = one.leads() ? [one, two] : [two, one]
    // Three quarters of its term pass, three times. Real time would also pass while a busy machine keeps it from renewing.
    for (let n = 0; n < 3; n++) {
      const pass = "update platform.leases set expires_at = expires_at - $1 * interval '1 ms'"
      await database.query(pass, [0.75 * LONG_MS])
      await until('it is renewed', async () => ((await readLeases(database))[0]?.msLeft ?? 0) > 0.5 * LONG_MS)
    }
    expect(other.terms).toEqual([])
    expect(leader.terms).toHaveLength(1)
    await leader.stop()
    await until('the other one leads', other.leads)
    expect(other.terms[0]?.epoch).toBe((leader.terms[0]?.epoch ?? 0) + 1)
    await other.stop()
  })

  test('failed work releases the lease and starts again', async () => {
    const one = candidate('one')
    await until('it leads', one.leads)
    one.fail(new Error('out of paper'))
    await until('it leads again', () => one.terms.length === 2)
    expect(one.troubles).toEqual([new Error('out of paper')])
    await one.stop()
  })

  test('a replaced leader stops its work', async () => {
    const one = candidate('one')
    await until('it leads', one.leads)
    await expire()
    // Between two renewals, as if the process had been suspended.
    await until('another one has it', async () => {
      await expire()
      return takeLease(database, 'work', 'two', LONG_MS)
    })
    await until('it stops', () => one.terms[0]?.signal.aborted)
    expect(one.terms).toHaveLength(1)
    await one.stop()
  })

  test('a leader that stops during a renewal leaves the lease free', async () => {
    let isSlow = false
    const underWay = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const slow = {
      query: (async (text: string, values?: readonly unknown[]) => {
        if (isSlow && values?.length === 3) {
          underWay.resolve()
          await goOn.promise
        }
        const rows = await database.query(text, values)
        // A release that does not wait for the renewal.
        if (values?.length === 2) goOn.resolve()
        return rows
      }) as PostgresDatabase['query'],
    }
    // The release has the time of a renewal. On this clock it is never over, however slow the database is.
    const clock = new ManualClock()
    const one = candidate('one', { database: slow, clock, renewalMs: 1_000 })
    await until('it leads', one.leads)
    isSlow = true
    await clock.advance(1_000)
    await underWay.promise
    const stopped = one.stop()
    await Promise.race([goOn.promise, systemClock.delay(100)])
    goOn.resolve()
    await stopped
    expect(await takeLease(database, 'work', 'two', LONG_MS)).toBe(2)
  })

  test('a leader that cannot reach the database stops its work when the lease expires, and not before', async () => {
    let isAway = false
    const brittle = {
      query: (async (text: string, values?: readonly unknown[]) =>
        isAway ? new Promise(() => {}) : database.query(text, values)) as PostgresDatabase['query'],
    }
    const clock = new ManualClock()
    const one = candidate('one', { database: brittle, clock, ttlMs: SHORT_MS })
    await until('it leads', one.leads)
    isAway = true
    await clock.advance(SHORT_MS - 1)
    expect(one.terms[0]?.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(one.terms[0]?.signal.aborted).toBe(true)
  })
})
