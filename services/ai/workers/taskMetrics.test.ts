import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTasks, settleTask } from '../../../capabilities/tasks/taskTable.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { openTestDatabase } from '../../../test/support/databases/openTestDatabase.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { registerTaskMetrics } from './taskMetrics.ts'

let database: PostgresDatabase
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('migrated'))
})
afterAll(() => close())

test('a worker whose oldest task has been due for a while shows how long, and the others 0', async () => {
  const clock = new ManualClock(Date.UTC(2026, 2, 1))
  const metrics = createMetrics()
  registerTaskMetrics(metrics, ['webhook_worker', 'email_worker', 'cv_worker'], { database, clock })
  const lagOf = async (worker: string) => {
    const name = `tollgate_worker_lag_seconds{worker="${worker}"} `
    const line = (await metrics.metrics()).split('\n').find((one) => one.startsWith(name))
    return Number(line?.slice(name.length))
  }
  const late = randomUUID()
  const task = (taskId: string) => [{ taskId, subject: 'a task', payload: {} }]
  await addTasks(database, 'webhook_worker', task(late), isoTime(clock.now() - 90_000))
  await addTasks(database, 'webhook_worker', task(randomUUID()), isoTime(clock.now() - 30_000))
  await addTasks(database, 'email_worker', task(randomUUID()), isoTime(clock.now() + 60_000))
  expect([await lagOf('webhook_worker'), await lagOf('email_worker'), await lagOf('cv_worker')]).toEqual([90, 0, 0])
  await settleTask(database, late, 'done')
  expect(await lagOf('webhook_worker')).toBe(30)
})
