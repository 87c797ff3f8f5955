import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { streamName } from '../../../contracts/streams.ts'
import { taskDecider } from '../../../domain/task/decider.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { jobPosted } from '../../../test/support/events/controlEvents.ts'
import { collect } from '../../../test/support/events/events.ts'
import { granted } from '../../../test/support/events/ledgerEvents.ts'
import { openWorkerRunnerHarness, type WorkerRunnerHarness } from '../../../test/support/harness/workerRunnerHarness.ts'
import { until } from '../../../test/support/time/until.ts'
import { NotNow, type Task, type Worker } from './worker.ts'
import { retryDelayMs } from './workerRunner.ts'

let bench: WorkerRunnerHarness
/** The jobs of all attempts, in order. */
let tried: string[]
beforeEach(async () => {
  bench = await openWorkerRunnerHarness()
  tried = []
})
afterEach(() => bench.close())

/** A worker with one task for each posted job. */
function jobWorker(perform: (task: Task, signal: AbortSignal) => Promise<void> = async () => {}): Worker<'job'> {
  return {
    name: 'document_worker',
    categories: ['job'],
    consider: (event) => {
      const { data } = event
      return { tasks: [{ cause: event.id, subject: `job ${data.jobId}`, payload: { jobId: data.jobId } }] }
    },
    perform: async (task, signal) => {
      tried.push(String(task.payload.jobId))
      await perform(task, signal)
    },
  }
}

const post = async (): Promise<string> => {
  const jobId = randomUUID()
  await bench.append(streamName('job', jobId), jobPosted(jobId, randomUUID()))
  return jobId
}
const tasks = () =>
  bench.engines.database.query<{ taskId: string; status: string; attempts: number; dueAt: string }>(
    'select task_id, status, attempts, due_at from platform.tasks order by due_at',
  )
const allDone = (count: number) =>
  until(
    `${count} tasks are done`,
    async () => (await tasks()).filter(({ status }) => status === 'done').length === count,
  )
const historyOf = async (taskId: string) =>
  (await collect(bench.engines.store.readStream(streamName('task', taskId)))).map(({ type }) => type)
const requeue = (taskId: string) =>
  bench.engines.commands.handle(
    taskDecider,
    streamName('task', taskId),
    { type: 'RequeueTask', taskId, worker: 'document_worker', at: new Date().toISOString() },
    { commandId: randomUUID(), correlationId: 'test', actor: { kind: 'system', name: 'test' } },
  )

test('each event leads to one task, which is performed once, also after a restart of the worker', async () => {
  const jobs = [await post(), await post()]
  const runner = bench.run(jobWorker())
  await allDone(2)
  await runner.drain(1_000)
  bench.run(jobWorker())
  jobs.push(await post())
  await allDone(3)
  expect(tried.toSorted()).toEqual(jobs.toSorted())
  const [first] = await tasks()
  expect(await historyOf(first?.taskId ?? '')).toEqual(['TaskCompleted'])
})

test('tasks that were deleted are found again in the feed, and completed ones are not performed again', async () => {
  await post()
  const runner = bench.run(jobWorker())
  await allDone(1)
  await runner.drain(1_000)
  const { database } = bench.engines
  await database.query('delete from platform.tasks')
  await database.query("delete from read_models.checkpoints where projection = 'document_worker'")
  bench.run(jobWorker())
  await allDone(1)
  expect(tried).toHaveLength(1)
})

test('a failing task is retried with growing delays, then parked; after a requeue it is performed', async () => {
  await post()
  let isBroken = true
  const retryMs = { first: 1_000, longest: 60_000 }
  bench.run(
    jobWorker(async () => {
      if (isBroken) throw new Error('refused by\n ada@example.com')
    }),
    { attemptsMax: 3, retryMs },
  )
  for (const [attempts, delay] of [
    [1, 1_000],
    [2, 4_000],
  ] as const) {
    await until(`attempt ${attempts} failed`, async () => (await tasks())[0]?.attempts === attempts)
    expect(Date.parse((await tasks())[0]?.dueAt ?? '')).toBe(bench.clock.now() + delay)
    bench.clock.advance(delay - 1)
    expect(tried).toHaveLength(attempts)
    bench.clock.advance(1)
  }
  await until('the task is parked', async () => (await tasks())[0]?.status === 'parked')
  expect(tried).toHaveLength(3)
  const taskId = (await tasks())[0]?.taskId ?? ''
  const [parked] = await collect(bench.engines.store.readStream(streamName('task', taskId)))
  expect(parked).toMatchObject({
    type: 'TaskParked',
    data: { worker: 'document_worker', attempts: 3, error: 'refused by [address]' },
  })

  isBroken = false
  await requeue(taskId)
  await allDone(1)
  expect(await historyOf(taskId)).toEqual(['TaskParked', 'TaskRequeued', 'TaskCompleted'])
  expect(tried).toHaveLength(4)
})

test('a skipped attempt does not count', async () => {
  await post()
  let isOpen = true
  const perform = async () => {
    if (isOpen) throw new NotNow('the breaker is open', 60_000)
  }
  bench.run(jobWorker(perform), { attemptsMax: 1 })
  await until(
    'the task was deferred',
    async () => (await tasks())[0]?.dueAt === new Date(bench.clock.now() + 60_000).toISOString(),
  )
  expect((await tasks())[0]).toMatchObject({ status: 'waiting', attempts: 0 })
  isOpen = false
  bench.clock.advance(60_000)
  await allDone(1)
})

test('two services never perform a task at the same time, and each keeps to its limit', async () => {
  const jobs = await Promise.all(Array.from({ length: 12 }, post))
  const running = new Set<string>()
  const bothAreBusy = Promise.withResolvers<void>()
  let most = 0
  const perform = async ({ payload }: Task) => {
    const jobId = String(payload.jobId)
    expect(running.has(jobId)).toBe(false)
    running.add(jobId)
    most = Math.max(most, running.size)
    if (running.size === 4) bothAreBusy.resolve()
    await bothAreBusy.promise
    running.delete(jobId)
  }
  bench.run(jobWorker(perform), { atOnceMax: 2 })
  bench.run(jobWorker(perform), { atOnceMax: 2 })
  await allDone(12)
  expect(tried.toSorted()).toEqual(jobs.toSorted())
  expect(most).toBe(4)
})

test('a task of a dead worker is taken by another when its lease ends, not before', async () => {
  const first = await post()
  const dead = bench.run(
    jobWorker((_task, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve()))),
    // This worker hangs, so it is as if it were dead, and it takes no other task.
    { atOnceMax: 1 },
  )
  await until('the attempt began', () => tried.length === 1)
  const alive = bench.run(jobWorker())
  // The second task is due later, so the other worker would have taken the first one before it.
  const second = await post()
  await allDone(1)
  expect(tried).toEqual([first, second])
  await bench.expireLeases()
  await allDone(2)
  expect(tried).toEqual([first, second, first])
  await alive.drain(1_000)
  await dead.drain(0)
})

test('a long attempt renews its lease, and is canceled if it loses it', async () => {
  const first = await post()
  const stopped = Promise.withResolvers<void>()
  const perform = (_task: Task, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        stopped.resolve()
        resolve()
      })
    })
  // The lease is longer than a busy machine takes to renew it, and is renewed often.
  const leaseMs = 60_000
  const clock: Clock = { ...bench.clock, delay: (ms, signal) => bench.clock.delay(Math.min(ms, 50), signal) }
  bench.run(jobWorker(perform), { leaseMs, atOnceMax: 1 }, { clock })
  await until('the attempt began', () => tried.length === 1)
  const leaseLeftMs = async () => {
    const [row] = await bench.engines.database.query<{ leftMs: number }>(
      `select extract(epoch from leased_until - clock_timestamp())::float8 * 1000 as left_ms
       from platform.tasks where leased_until is not null`,
    )
    return row?.leftMs ?? Number.NaN
  }
  // Three quarters of the lease pass, twice.
  for (let n = 0; n < 2; n++) {
    await bench.engines.database.query("update platform.tasks set leased_until = leased_until - interval '45 s'")
    await until('the lease is renewed', async () => (await leaseLeftMs()) > leaseMs / 2)
  }
  const other = bench.run(jobWorker())
  // The second task is due later, so the other worker would have taken the first one before it.
  const second = await post()
  await allDone(1)
  expect(tried).toEqual([first, second])
  await bench.engines.database.query('update platform.tasks set lease_epoch = lease_epoch + 1')
  await stopped.promise
  await other.drain(100)
})

test('a drain waits for running attempts, and cancels those that take too long', async () => {
  await post()
  const may = Promise.withResolvers<void>()
  const runner = bench.run(jobWorker(() => may.promise))
  await until('the attempt began', () => tried.length === 1)
  const drained = runner.drain(10_000)
  may.resolve()
  await drained
  await allDone(1)

  await post()
  const stuck = bench.run(jobWorker(() => new Promise(() => {})))
  await until('the attempt began', () => tried.length === 2)
  await stuck.drain(20)
  bench.run(jobWorker())
  await allDone(2)
  expect(tried).toHaveLength(3)
})

test('a memory counts each event once, even if the feed is read again', async () => {
  const companyId = randomUUID()
  const stream = streamName('ledger', companyId)
  const counting: Worker = {
    ...jobWorker(),
    categories: ['ledger'],
    remembers: ['ledger'],
    consider: (_event, memory) => {
      const count = ((memory as number | null) ?? 0) + 1
      return { memory: count, tasks: count === 3 ? [{ cause: stream, subject: 'three', payload: { jobId: 'x' } }] : [] }
    },
  }
  const memory = async () =>
    (await bench.engines.database.query<{ memory: number }>('select memory from platform.worker_memory'))[0]?.memory
  await bench.append(stream, granted(companyId), granted(companyId))
  const first = bench.run(counting)
  await until('two events are counted', async () => (await memory()) === 2)
  await first.drain(100)
  await bench.engines.database.query("update read_models.checkpoints set position = ''")
  bench.run(counting)
  await bench.append(stream, granted(companyId), granted(companyId))
  await until('four events are counted', async () => (await memory()) === 4)
  await allDone(1)
})

test('a task that falls due by time is performed once, although `due` returns it again', async () => {
  let polls = 0
  const due = async () => {
    polls++
    return { tasks: [{ cause: 'noon', subject: 'noon', payload: { jobId: 'noon' } }] }
  }
  bench.run({ ...jobWorker(), due })
  await allDone(1)
  const pollsBefore = polls
  await until('`due` was called again', () => polls >= pollsBefore + 2)
  expect(tried).toEqual(['noon'])
})

test('the delay between attempts grows up to a limit', () => {
  const retryMs = { first: 2_000, longest: 60_000 }
  expect([1, 2, 3, 4, 20].map((attempts) => retryDelayMs(attempts, retryMs))).toEqual([
    2_000, 8_000, 32_000, 60_000, 60_000,
  ])
})
