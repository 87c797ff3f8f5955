import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/support/databases/database.ts'
import { until } from '../../test/support/time/until.ts'
import { isoTimestamp, openDatabase } from './database.ts'

test('an idle connection that breaks is reported without its client', async () => {
  const { url, drop } = await createTestDatabase()
  const reported: Error[] = []
  const database = openDatabase({ url, onIdleError: (error) => void reported.push(error) })
  const other = openDatabase({ url })
  try {
    const [row] = await database.query<{ pid: number }>('select pg_backend_pid() as pid')
    await other.query('select pg_terminate_backend($1, 5000)', [row?.pid])
    const [error] = await until('the error is reported', () => (reported.length > 0 ? reported : null))
    expect(Object.keys(error as Error)).not.toContain('client')
    expect(await database.query<{ n: number }>('select 1 as n')).toEqual([{ n: 1 }])
  } finally {
    await database.close()
    await other.close()
    await drop()
  }
})

test('columns come back in camelCase, in a transaction and from a prepared statement too', async () => {
  const { url, drop } = await createTestDatabase()
  const database = openDatabase({ url })
  const text = 'select $1::int as company_id, 2 as "already"'
  const rows = [{ companyId: 1, already: 2 }]
  try {
    expect(await database.query(text, [1])).toEqual(rows)
    await database.transaction(async (sql) => {
      for (let n = 0; n < 2; n++) expect(await sql.query(text, [1], 'named')).toEqual(rows)
    })
    expect(await database.query('select 1 as left_out where false')).toEqual([])
  } finally {
    await database.close()
    await drop()
  }
})

test('the stack of a failed statement leads to its caller', async () => {
  const { url, drop } = await createTestDatabase()
  const database = openDatabase({ url })
  async function misspelt(run: typeof database.query): Promise<void> {
    await run('selct 1')
  }
  try {
    const stacks = [misspelt(database.query), database.transaction(({ query }) => misspelt(query))].map((failed) =>
      failed.then(String, (error: Error) => error.stack),
    )
    for (const stack of await Promise.all(stacks)) expect(stack).toContain('misspelt')
  } finally {
    await database.close()
    await drop()
  }
})

test.each([
  ['2026-03-01 10:00:30+00', '2026-03-01T10:00:30.000Z'],
  ['2026-03-01 10:00:30.1+00', '2026-03-01T10:00:30.100Z'],
  ['2026-03-01 10:00:30.12+00', '2026-03-01T10:00:30.120Z'],
  ['2026-03-01 10:00:30.123999+00', '2026-03-01T10:00:30.123Z'],
  ['2026-03-01 10:00:30.123456+01', '2026-03-01T09:00:30.123Z'],
  ['2026-03-01 10:00:30+05:30', '2026-03-01T04:30:30.000Z'],
])('the timestamp %s is read as %s, as a Date would read it', (text, iso) => {
  expect(isoTimestamp(text)).toBe(iso)
  expect(new Date(text).toISOString()).toBe(iso)
})
