import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { openDatabase } from './database.ts'

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
