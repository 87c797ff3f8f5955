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
