import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ConnectionSql } from '../../projections/runner/ports.ts'
import { startCuttingProxy } from '../../test/support/callers/cuttingProxy.ts'
import { startFreezingProxy } from '../../test/support/callers/freezingProxy.ts'
import { openTestDatabase } from '../../test/support/databases/openTestDatabase.ts'
import { until } from '../../test/support/time/until.ts'
import { openDatabase, type PostgresDatabase } from './database.ts'
import { DatabaseUnreachable } from './databaseUnreachable.ts'

let database: PostgresDatabase
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, close } = await openTestDatabase())
  await database.query('create table numbers (n int primary key)')
})
afterAll(() => close?.())

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

describe('a connection that the server has ended fails as unreachable', () => {
  const rows = 'copy numbers from stdin'
  test.each<[string, (sql: ConnectionSql) => Promise<unknown>]>([
    ['a statement', (sql) => sql.query('select 1')],
    ['a copy', (sql) => sql.copy(rows, '1\n')],
    ['the commit', async () => {}],
  ])('%s', async (_, work) => {
    const failed = database.transaction(async (sql) => {
      const [own] = await sql.query<{ pid: number }>('select pg_backend_pid() as pid')
      await database.query('select pg_terminate_backend($1, 5000)', [own?.pid])
      await work(sql)
    })
    const error = await failureOf(failed)
    expect(error).toBeInstanceOf(DatabaseUnreachable)
    expect((error as Error).cause).toBeInstanceOf(Error)
    expect(await database.query('select n from numbers')).toEqual([])
  })
})

test.each(['before commit', 'after commit'] as const)(
  'a connection that is cut fails as unreachable, %s',
  async (moment) => {
    const { hostname, port } = new URL(database.url)
    const proxy = await startCuttingProxy({ host: hostname, port: Number(port) })
    const url = new URL(database.url)
    url.host = `127.0.0.1:${proxy.port}`
    const behind = openDatabase({ url: url.href })
    try {
      const cut = proxy.cutAt('commit', moment)
      const error = await failureOf(behind.transaction((sql) => sql.query('select 1')))
      await cut
      expect(error).toBeInstanceOf(DatabaseUnreachable)
    } finally {
      await behind.close()
      await proxy.close()
    }
  },
)

describe('a connection that falls silent', () => {
  const ANSWER_MS_MAX = 30_000

  /** A database whose only connection is open, and then gets no answer any more. New ones work. */
  async function silenced(
    act: (behind: PostgresDatabase, silence: () => void) => Promise<unknown>,
  ): Promise<{ readonly error: unknown; readonly next: readonly unknown[] }> {
    const url = new URL(database.url)
    const proxy = await startFreezingProxy(Number(url.port))
    url.host = `127.0.0.1:${proxy.port}`
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const behind = openDatabase({ url: url.href, connectionsMax: 1, answerMsMax: ANSWER_MS_MAX })
    try {
      await behind.query('select 1')
      let [isSilent, isOver] = [false, false]
      const silence = () => {
        proxy.freeze()
        isSilent = true
      }
      const failed = failureOf(act(behind, silence)).finally(() => {
        isOver = true
      })
      while (!isOver) {
        await new Promise(setImmediate)
        if (isSilent) vi.advanceTimersByTime(ANSWER_MS_MAX)
      }
      return { error: await failed, next: await behind.query('select 2 as n') }
    } finally {
      vi.useRealTimers()
      await behind.close()
      await proxy.close()
    }
  }

  test.each<[string, (behind: PostgresDatabase, silence: () => void) => Promise<unknown>]>([
    [
      'a statement',
      (behind, silence) => {
        silence()
        return behind.query('select 1')
      },
    ],
    ['a statement of a transaction', inTransaction((sql) => sql.query('select 1'))],
    ['a copy', inTransaction((sql) => sql.copy('copy numbers from stdin', '1\n'))],
    ['the commit', inTransaction(async () => {})],
  ])('fails %s as unreachable, and is replaced', async (_, act) => {
    const { error, next } = await silenced(act)
    expect(error).toBeInstanceOf(DatabaseUnreachable)
    expect(next).toEqual([{ n: 2 }])
  })

  test('does not hold up a rollback', async () => {
    const own = new Error('the work failed')
    const { error, next } = await silenced(inTransaction(() => Promise.reject(own)))
    expect(error).toBe(own)
    expect(next).toEqual([{ n: 2 }])
  })

  function inTransaction(work: (sql: ConnectionSql) => Promise<unknown>) {
    return (behind: PostgresDatabase, silence: () => void) =>
      behind.transaction(async (sql) => {
        silence()
        await work(sql)
      })
  }
})

test('a long transaction waits for its answers beyond the limit', async () => {
  const limited = openDatabase({ url: database.url, answerMsMax: 1 })
  const lock = 'select pg_advisory_xact_lock(1)'
  try {
    let waiting: Promise<unknown> = Promise.resolve()
    await database.transaction(async (sql) => {
      await sql.query(lock)
      waiting = limited.transaction((long) => long.query(lock), { isLong: true })
      waiting.catch(() => {})
      // Once a limited statement was given up after the long one was sent, the limit has passed for both.
      await until('the long one waits', async () => {
        const rows = await database.query(
          "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
        )
        return rows.length > 0
      })
      expect(await failureOf(limited.query(lock))).toBeInstanceOf(DatabaseUnreachable)
    })
    await waiting
  } finally {
    await limited.close()
  }
})

test('a server that does not listen fails statements and transactions as unreachable, with the code', async () => {
  const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' })
  try {
    for (const attempt of [away.query('select 1'), away.transaction(async () => {})]) {
      const error = await failureOf(attempt)
      expect(error).toBeInstanceOf(DatabaseUnreachable)
      expect(error).toMatchObject({ code: 'ECONNREFUSED' })
    }
  } finally {
    await away.close()
  }
})

test('a refusal of a reachable server stays as it is', async () => {
  const refusals = [
    database.query('select 1 / 0'),
    database.transaction((sql) => sql.copy('copy numbers from stdin', 'x\n')),
  ]
  for (const error of await Promise.all(refusals.map(failureOf))) expect(error).toBeInstanceOf(pg.DatabaseError)
})
