import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../test/support/databases/openTestDatabase.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import type { PostgresDatabase } from './database.ts'
import { databaseCheck } from './databaseHealth.ts'

let database: PostgresDatabase
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('empty'))
})
afterAll(() => close())

test('the health of a database says how many connections its pool has, and how many queries wait for one', async () => {
  const check = databaseCheck(database, new ManualClock())
  const { pool } = database
  const sizeMax = pool.options.max
  const taken = await Promise.all(Array.from({ length: sizeMax }, () => pool.connect()))
  const waiting = [database.query('select 1'), database.query('select 2')]
  const health = check()
  for (const client of taken) client.release()
  await Promise.all(waiting)
  expect(await health).toEqual({
    status: 'healthy',
    latency_ms: 0,
    pool: { total: sizeMax, idle: 0, waiting: waiting.length },
  })
})
