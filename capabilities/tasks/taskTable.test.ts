import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isoTime } from '../../platform/clock/clock.ts'
import { openWorkerRunnerHarness, type WorkerRunnerHarness } from '../../test/support/harness/workerRunnerHarness.ts'
import { addTasks, queueOf, takeTasks } from './taskTable.ts'

const START = Date.UTC(2026, 2, 1)
const LEASE_MS = 60_000

let bench: WorkerRunnerHarness
beforeAll(async () => {
  bench = await openWorkerRunnerHarness()
})
afterAll(() => bench.close())
beforeEach(() => bench.engines.database.query('delete from platform.tasks'))

/** Adds tasks in this order; the letter of a task such as `a1` is its company, and `-` means none. */
async function add(...subjects: readonly string[]) {
  for (const [n, subject] of subjects.entries()) {
    const company = subject.slice(0, 1)
    const task = { taskId: randomUUID(), subject, payload: company === '-' ? {} : { companyId: company } }
    await addTasks(bench.engines.database, 'cv_worker', [task], isoTime(START + n))
  }
}
const take = async (limit: number, held: readonly string[] = []) => {
  const taking = { at: isoTime(START + 1_000), limit, leaseMs: LEASE_MS, held }
  return (await takeTasks(bench.engines.database, 'cv_worker', taking)).map(({ subject }) => subject).sort()
}

test('companies take turns, each with its oldest task first', async () => {
  await add('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2')
  expect(await take(4)).toEqual(['a1', 'a2', 'b1', 'c1'])
  expect(await take(4)).toEqual(['a3', 'a4', 'a5', 'b2'])
})

test('a company with tasks under way comes after the others', async () => {
  await add('a1', 'a2', 'b1', 'c1')
  expect(await take(2, ['a', 'a', 'b'])).toEqual(['b1', 'c1'])
  expect(await take(2, ['a', 'a', 'b', 'c'])).toEqual(['a1', 'a2'])
})

test('tasks without a company are taken in their order', async () => {
  await add('-1', '-2', '-3')
  expect(await take(2, ['', ''])).toEqual(['-1', '-2'])
  expect(await take(2)).toEqual(['-3'])
})

test('concurrent calls never take the same task', async () => {
  await add(...Array.from({ length: 20 }, (_, n) => `${'ab'[n % 2]}${n}`))
  const taken = await Promise.all(Array.from({ length: 10 }, () => take(3)))
  expect(taken.flat()).toHaveLength(new Set(taken.flat()).size)
  expect([...taken.flat(), ...(await take(20))]).toHaveLength(20)
})

test('a queue never runs more tasks at once than allowed', async () => {
  await add('a1', 'a2', 'a3', 'b1', 'c1')
  const taking = { at: isoTime(START + 1_000), limit: 10, leaseMs: LEASE_MS, held: ['b', 'b'], perQueueMax: 2 }
  const taken = await takeTasks(bench.engines.database, 'cv_worker', taking)
  expect(taken.map(({ subject }) => subject).sort()).toEqual(['a1', 'a2', 'c1'])
})

test('a task may name a queue other than that of its company', async () => {
  const task = (subject: string, queue: string) => ({
    ...{ taskId: randomUUID(), subject, payload: { companyId: 'a', queue } },
  })
  const tasks = [task('1', 'x'), task('2', 'x'), task('3', 'y')]
  for (const [n, one] of tasks.entries()) {
    await addTasks(bench.engines.database, 'cv_worker', [one], isoTime(START + n))
  }
  expect(await take(2)).toEqual(['1', '3'])
  expect(tasks.map(queueOf)).toEqual(['x', 'x', 'y'])
})

test('a queue of thousands of tasks does not block the others', async () => {
  const many = Array.from({ length: 2_000 }, (_, n) => ({
    ...{ taskId: randomUUID(), subject: `a${n}`, payload: { companyId: 'a' } },
  }))
  await addTasks(bench.engines.database, 'cv_worker', many, isoTime(START))
  await addTasks(
    bench.engines.database,
    'cv_worker',
    [{ taskId: randomUUID(), subject: 'b1', payload: { companyId: 'b' } }],
    isoTime(START + 500),
  )
  const taken = await take(2)
  expect(taken).toHaveLength(2)
  expect(taken).toContain('b1')
})

test('tasks that are not due stay where they are', async () => {
  await add('a1')
  const taking = { at: isoTime(START - 1), limit: 2, leaseMs: LEASE_MS }
  expect(await takeTasks(bench.engines.database, 'cv_worker', taking)).toEqual([])
})
