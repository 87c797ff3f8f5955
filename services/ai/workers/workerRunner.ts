import type { Installation } from '../../../capabilities/installation.ts'
import {
  addTasks,
  forgetDoneTasks,
  type HeldTask,
  queueOf,
  releaseTask,
  settleTask,
  takeTasks,
  unknownTasks,
} from '../../../capabilities/tasks/taskTable.ts'
import type { TaskEvent } from '../../../contracts/events/task.ts'
import { streamName } from '../../../contracts/streams.ts'
import { fold } from '../../../domain/decider.ts'
import { type TaskCommand, taskDecider } from '../../../domain/task/decider.ts'
import { type Clock, isoTime } from '../../../platform/clock/clock.ts'
import { settlesWithin } from '../../../platform/clock/within.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import { inSpan } from '../../../platform/tracing/activeSpan.ts'
import type { Tracing } from '../../../platform/tracing/port.ts'
import type { FeedCarrier } from '../../../projections/runner/ports.ts'
import { attemptTask } from './taskAttempt.ts'
import { taskErrorText } from './taskErrorText.ts'
import { newTask, runIntake } from './taskIntake.ts'
import { type Enrolment, NotNow, TryAgain, type Worker } from './worker.ts'

/** Tasks that one worker performs concurrently. */
const TASKS_AT_ONCE_MAX = 4
/** Attempts before a task is parked. */
const TASK_ATTEMPTS_MAX = 6
/** Delay before the first retry; it is multiplied by four for each further one, up to the longest. */
const TASK_RETRY_MS = { first: 2_000, longest: 15 * 60_000 } as const
/** A task whose lease is not renewed for this long is taken by another process. */
const TASK_LEASE_MS = 30_000
/** Time limit of one attempt. */
const TASK_ATTEMPT_MS = 120_000
/** How long the row of a completed task is kept. Its events stay. */
const DONE_TASKS_KEPT_MS = 7 * 24 * 60 * 60 * 1_000

export type RunnerLimits = {
  readonly atOnceMax: number
  /** Tasks of one queue among them; without it, a queue may have all places. */
  readonly perQueueMax?: number
  readonly attemptsMax: number
  readonly retryMs: { readonly first: number; readonly longest: number }
  readonly leaseMs: number
  readonly attemptMs: number
  /** How often the table is polled for tasks that are due. */
  readonly pollMs: number
  /** How often a worker is asked for tasks that fall due by time. */
  readonly dueEveryMs: number
}

export const RUNNER_LIMITS: RunnerLimits = {
  atOnceMax: TASKS_AT_ONCE_MAX,
  attemptsMax: TASK_ATTEMPTS_MAX,
  retryMs: TASK_RETRY_MS,
  leaseMs: TASK_LEASE_MS,
  attemptMs: TASK_ATTEMPT_MS,
  pollMs: 1_000,
  dueEveryMs: 10_000,
}

type Loop = 'intake' | 'tasks' | 'due'

export type TaskOutcome = 'done' | 'failed' | 'parked' | 'not_now'

export type WorkerRunnerOptions = {
  readonly worker: Worker
  readonly engines: Pick<Installation, 'database' | 'store' | 'feed' | 'commands'>
  readonly carrier?: FeedCarrier
  readonly clock: Clock
  readonly log: Log
  readonly tracing?: Tracing | null
  readonly limits?: Partial<RunnerLimits>
  readonly enrolment?: Enrolment
  readonly onOutcome?: (outcome: TaskOutcome) => void
}

/** The delay after an attempt: four times as long each time, up to a limit. */
export function retryDelayMs(attempts: number, { first, longest }: RunnerLimits['retryMs']): number {
  return Math.min(first * 4 ** (attempts - 1), longest)
}

/** Runs one worker: reads its tasks from the feed, and performs a few of them at a time, each under a lease. */
export class WorkerRunner {
  readonly #options: WorkerRunnerOptions
  readonly #limits: RunnerLimits
  readonly #stopping = new AbortController()
  /** Cancels the attempts that are still running when a drain times out. */
  readonly #canceling = new AbortController()
  /** The attempts that are running, each with the queue of its task. */
  readonly #attempts = new Map<Promise<void>, string>()
  #wake = Promise.withResolvers<void>()
  #loops: Promise<unknown> = Promise.resolve()
  /** The loops whose last round failed. */
  readonly #failing = new Set<Loop>()

  constructor(options: WorkerRunnerOptions) {
    this.#options = options
    this.#limits = { ...RUNNER_LIMITS, ...options.limits }
  }

  get name() {
    return this.#options.worker.name
  }

  get status(): 'healthy' | 'degraded' {
    return this.#failing.size === 0 ? 'healthy' : 'degraded'
  }

  /** The number of attempts that are running. */
  get active(): number {
    return this.#attempts.size
  }

  get idle(): number {
    return this.#limits.atOnceMax - this.#attempts.size
  }

  start(): void {
    const { worker, engines, clock } = this.#options
    const { signal } = this.#stopping
    const intake = runIntake(
      {
        worker,
        database: engines.database,
        feed: engines.feed,
        carrier: this.#options.carrier,
        clock,
        enrolment: this.#options.enrolment,
        onTasks: () => this.#wakeUp(),
        onFailure: (error) => this.#failed('intake', error),
        onAdvanced: () => this.#failing.delete('intake'),
      },
      signal,
    )
    this.#loops = Promise.all([intake, this.#takeTasks(), this.#addDueTasks()])
  }

  /** Starts no new attempt and waits for those that are running. An attempt that does not end in time is canceled. */
  async drain(timeoutMs: number): Promise<void> {
    this.#stopping.abort()
    this.#wakeUp()
    await this.#loops
    await settlesWithin(Promise.all(this.#attempts.keys()), timeoutMs, this.#options.clock)
    this.#canceling.abort()
    await Promise.all(this.#attempts.keys())
  }

  async #takeTasks(): Promise<void> {
    const { worker, engines, clock } = this.#options
    const { signal } = this.#stopping
    while (!signal.aborted) {
      // A new promise for each round: one that lives on would collect a handler of every poll.
      this.#wake = Promise.withResolvers()
      let taken = 0
      try {
        const { leaseMs, atOnceMax, perQueueMax = atOnceMax } = this.#limits
        const held = [...this.#attempts.values()]
        const taking = { at: isoTime(clock.now()), limit: this.idle, leaseMs, held, perQueueMax }
        const tasks = this.idle === 0 ? [] : await takeTasks(engines.database, worker.name, taking)
        taken = tasks.length
        for (const task of tasks) this.#begin(task)
        this.#failing.delete('tasks')
      } catch (error) {
        this.#failed('tasks', error)
      }
      if (taken === 0) await settlesWithin(this.#wake.promise, this.#limits.pollMs, clock, signal)
    }
  }

  #wakeUp(): void {
    this.#wake.resolve()
  }

  /** Adds tasks that fall due by time, and cleans up. */
  async #addDueTasks(): Promise<void> {
    const { worker, engines, clock, enrolment } = this.#options
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        const { tasks: drafts, notices = [] } = (await worker.due?.(clock.now())) ?? { tasks: [] }
        const tasks = drafts.map((draft) => newTask(worker, draft))
        if (enrolment && notices.length > 0) await engines.database.transaction(await enrolment.plan(notices))
        const unknown = await unknownTasks(
          engines.database,
          tasks.map(({ taskId }) => taskId),
        )
        const fresh = tasks.filter(({ taskId }) => unknown.has(taskId))
        if ((await addTasks(engines.database, worker.name, fresh, isoTime(clock.now()))) > 0) this.#wakeUp()
        await forgetDoneTasks(engines.database, worker.name, DONE_TASKS_KEPT_MS)
        await worker.cleanUp?.()
        this.#failing.delete('due')
      } catch (error) {
        this.#failed('due', error)
      }
      await clock.delay(this.#limits.dueEveryMs, signal)
    }
  }

  #begin(task: HeldTask): void {
    const attempt = this.#handleInTrace(task)
      .catch((error: unknown) => this.#failed('tasks', error))
      .finally(() => {
        this.#attempts.delete(attempt)
        this.#wakeUp()
      })
    this.#attempts.set(attempt, queueOf(task))
  }

  /** Each attempt is a span, in the trace of what led to the task, which is no part of what the worker gets. */
  #handleInTrace(held: HeldTask): Promise<void> {
    const { traceparent, ...payload } = held.payload
    const task = { ...held, payload }
    const parent = typeof traceparent === 'string' ? traceparent : undefined
    const attributes = { 'tollgate.task.id': task.taskId, 'tollgate.task.attempt': task.attempts + 1 }
    const options = { kind: 'consumer', parent, attributes } as const
    return inSpan(this.#options.tracing, `task ${this.name}`, options, async (span) => {
      const outcome = await this.#handle(task)
      if (outcome !== 'done') span?.fail(outcome)
    })
  }

  async #handle(task: HeldTask): Promise<TaskOutcome> {
    const { worker, engines, clock, log, onOutcome } = this.#options
    const { database } = engines
    const { leaseMs, attemptMs } = this.#limits
    const { taskId } = task
    // A process may have died after it wrote the event and before it updated the row: the stream decides.
    const { status } = await this.#stateOf(taskId)
    if (status === 'completed' || status === 'parked') {
      await settleTask(database, taskId, status === 'completed' ? 'done' : 'parked')
      return 'done'
    }
    try {
      await attemptTask({ worker, database, clock, leaseMs, attemptMs, cancel: this.#canceling.signal }, task)
    } catch (error) {
      const outcome = await this.#afterFailure(task, error)
      onOutcome?.(outcome)
      return outcome
    }
    await this.#record({ type: 'CompleteTask', ...this.#idsOf(taskId) }, `complete:${taskId}`)
    await settleTask(database, taskId, 'done')
    onOutcome?.('done')
    log.info({ worker: worker.name, taskId, subject: task.subject }, 'task completed')
    return 'done'
  }

  async #afterFailure(task: HeldTask, error: unknown): Promise<TaskOutcome> {
    const { worker, engines, clock, log } = this.#options
    const { taskId, subject } = task
    if (error instanceof NotNow) {
      await releaseTask(engines.database, task, task.attempts, isoTime(clock.now() + error.retryAfterMs))
      return 'not_now'
    }
    const attempts = task.attempts + 1
    const reason = taskErrorText(error)
    if (error instanceof TryAgain) {
      const retryMs = error.retryAfterMs
      log.info({ worker: worker.name, taskId, subject, attempts, retryMs, reason }, 'task failed and will be retried')
      await releaseTask(engines.database, task, attempts, isoTime(clock.now() + retryMs))
      return 'failed'
    }
    if (attempts < this.#limits.attemptsMax) {
      const retryMs = retryDelayMs(attempts, this.#limits.retryMs)
      log.warn({ worker: worker.name, taskId, subject, attempts, retryMs, reason }, 'task failed and will be retried')
      await releaseTask(engines.database, task, attempts, isoTime(clock.now() + retryMs))
      return 'failed'
    }
    const facts = { subject, attempts, error: reason }
    await this.#record({ type: 'ParkTask', ...this.#idsOf(taskId), ...facts }, `park:${taskId}:${task.epoch}`)
    await settleTask(engines.database, taskId, 'parked')
    log.error({ worker: worker.name, taskId, subject, attempts, reason }, 'task parked after its last attempt failed')
    return 'parked'
  }

  #idsOf(taskId: string) {
    return { taskId, worker: this.name, at: isoTime(this.#options.clock.now()) }
  }

  async #stateOf(taskId: string) {
    const events: TaskEvent[] = []
    for await (const event of this.#options.engines.store.readStream(streamName('task', taskId))) events.push(event)
    return fold(taskDecider, events)
  }

  async #record(command: TaskCommand, commandId: string): Promise<void> {
    const context = { commandId, correlationId: command.taskId, actor: { kind: 'system', name: this.name } } as const
    await this.#options.engines.commands.handle(taskDecider, streamName('task', command.taskId), command, context)
  }

  #failed(loop: Loop, error: unknown): void {
    if (this.#stopping.signal.aborted) return
    this.#failing.add(loop)
    this.#options.log.warn({ err: error, worker: this.name, loop }, 'worker failed and will retry')
  }
}
