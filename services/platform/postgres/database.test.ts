import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { openDatabase } from './database.ts'

test('tells of a connection that broke while idle, without all that hangs on it', async () => {
  const { url, drop } = await createTestDatabase()
  const told: Error[] = []
  const database = openDatabase({ url, onIdleError: (error) => void told.push(error) })
  const other = openDatabase({ url })
  try {
    const [row] = await database.query<{ pid: number }>('select pg_backend_pid() as pid')
    await other.query('select pg_terminate_backend($1, 5000)', [row?.pid])
    const [error] = await until('it is told', () => (told.length > 0 ? told : null))
    expect(Object.keys(error as Error)).not.toContain('client')
    expect(await database.query<{ n: number }>('select 1 as n')).toEqual([{ n: 1 }])
  } finally {
    await database.close()
    await other.close()
    await drop()
  }
})
