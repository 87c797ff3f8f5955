import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectionSql } from '../../projections/runner/ports.ts'
import { startCuttingProxy } from '../../test/support/callers/cuttingProxy.ts'
import { openTestDatabase } from '../../test/support/databases/openTestDatabase.ts'
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
  for (const refused of refusals) expect(await failureOf(refused)).toBeInstanceOf(pg.DatabaseError)
})
