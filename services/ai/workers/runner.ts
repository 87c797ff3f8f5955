import { streamName } from '../../../contracts/streams.ts'
import { fold } from '../../../domain/decider.ts'
import { type TaskCommand, taskDecider } from '../../../domain/task/decider.ts'
import type { FeedCarrier } from '../../../projections/runner/ports.ts'
import { type Clock, isoTime } from '../../platform/clock/clock.ts'
import type { Engines } from '../../platform/engines.ts'
import type { Log } from '../../platform/log/log.ts'
import {
  addTasks,
  forgetDoneTasks,
  type HeldTask,
  keepTask,
  releaseTask,
  settleTask,
  takeTasks,
  unknownTasks,
} from '../../platform/tasks/taskTable.ts'
import { newTask, runIntake } from './intake.ts'
import { shownError } from './shownError.ts'
import { NotNow, type Worker } from './worker.ts'

/** What a worker does at the same time, and how often it tries before a task is parked. */
const TASKS_AT_ONCE_MAX = 4
const TASK_ATTEMPTS_MAX = 6
/** From one try to the next; each time four times as long. */
const TASK_RETRY_MS = { first: 2_000, longest: 15 * 60_000 } as const
/** A task whose worker was not heard of for this long is taken up by another. */
const TASK_LEASE_MS = 30_000
/** How long one try may take. */
const TASK_TRY_MS = 120_000
/** How long a task that is done is remembered beside its events. */
const DONE_TASKS_KEPT_MS = 7 * 24 * 60 * 60 * 1_000

export type RunnerLimits = {
  readonly atOnceMax: number
  readonly attemptsMax: number
  readonly retryMs: { readonly first: number; readonly longest: number }
  readonly leaseMs: number
  readonly tryMs: number
  readonly lookMs: number
  readonly dueEveryMs: number
}

export const RUNNER_LIMITS: RunnerLimits = {
  atOnceMax: TASKS_AT_ONCE_MAX,
  attemptsMax: TASK_ATTEMPTS_MAX,
  retryMs: TASK_RETRY_MS,
  leaseMs: TASK_LEASE_MS,
  tryMs: TASK_TRY_MS,
  lookMs: 1_000,
  dueEveryMs: 10_000,
}

export type TaskOutcome = 'done' | 'failed' | 'parked' | 'not_now'

export type WorkerRunnerOptions = {
  readonly worker: Worker
  readonly engines: Pick<Engines, 'database' | 'store' | 'feed' | 'commands'>
  readonly carrier?: FeedCarrier
  readonly clock: Clock
  readonly log: Log
  readonly limits?: Partial<RunnerLimits>
  readonly onOutcome?: (outcome: TaskOutcome) => void
}

/** How far the tries of a task are apart: four times as long each time. */
export function retryDelayMs(attempts: number, { first, longest }: RunnerLimits['retryMs']): number {
  return Math.min(first * 4 ** (attempts - 1), longest)
}

/** Runs one worker: its queue from the feed, its tasks a few at a time, each under a lease. */
export class WorkerRunner {
  readonly #options: WorkerRunnerOptions
  readonly #limits: RunnerLimits
  readonly #stopping = new AbortController()
  /** Cuts what is still under way when a drain has waited long enough. */
  readonly #cutting = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  #wake = Promise.withResolvers<void>()
  #running: Promise<unknown> = Promise.resolve()
  #troubles = new Set<'intake' | 'tasks' | 'due'>()

  constructor(options: WorkerRunnerOptions) {
    this.#options = options
    this.#limits = { ...RUNNER_LIMITS, ...options.limits }
  }

  get name() {
    return this.#options.worker.name
  }

  get status(): 'healthy' | 'degraded' {
    return this.#troubles.size === 0 ? 'healthy' : 'degraded'
  }

  /** What it works on, and what it could work on beside it. */
  get active(): number {
    return this.#underWay.size
  }

  get idle(): number {
    return this.#limits.atOnceMax - this.#underWay.size
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
        onTasks: () => this.#wakeUp(),
        onTrouble: (error) => this.#trouble('intake', error),
        onAdvanced: () => this.#troubles.delete('intake'),
      },
      signal,
    )
    this.#running = Promise.all([intake, this.#work(), this.#lookAround()])
  }

  /** Takes nothing new, and lets what it has begun end; what does not in time is left to be done again. */
  async drain(timeoutMs: number): Promise<void> {
    this.#stopping.abort()
    this.#wakeUp()
    await this.#running
    const timeIsUp = new AbortController()
    await Promise.race([Promise.all(this.#underWay), this.#options.clock.delay(timeoutMs, timeIsUp.signal)])
    timeIsUp.abort()
    this.#cutting.abort()
    await Promise.all(this.#underWay)
  }

  async #work(): Promise<void> {
    const { worker, engines, clock } = this.#options
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const wake = this.#wake.promise
      let taken = 0
      try {
        const { leaseMs } = this.#limits
        const tasks =
          this.idle === 0
            ? []
            : await takeTasks(engines.database, worker.name, { at: isoTime(clock.now()), limit: this.idle, leaseMs })
        taken = tasks.length
        for (const task of tasks) this.#begin(task)
        this.#troubles.delete('tasks')
      } catch (error) {
        this.#trouble('tasks', error)
      }
      if (taken === 0) await this.#pause(wake)
    }
  }

  async #pause(wake: Promise<void>): Promise<void> {
    const woken = new AbortController()
    const ended = AbortSignal.any([this.#stopping.signal, woken.signal])
    await Promise.race([wake, this.#options.clock.delay(this.#limits.lookMs, ended)])
    woken.abort()
  }

  #wakeUp(): void {
    this.#wake.resolve()
    this.#wake = Promise.withResolvers()
  }

  /** Tasks that time brings, and what there is to tidy up. */
  async #lookAround(): Promise<void> {
    const { worker, engines, clock } = this.#options
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        const drafts = (await worker.due?.(clock.now())) ?? []
        const tasks = drafts.map((draft) => newTask(worker, draft))
        const unknown = await unknownTasks(
          engines.database,
          tasks.map(({ taskId }) => taskId),
        )
        const fresh = tasks.filter(({ taskId }) => unknown.has(taskId))
        if ((await addTasks(engines.database, worker.name, fresh, isoTime(clock.now()))) > 0) this.#wakeUp()
        await forgetDoneTasks(engines.database, worker.name, DONE_TASKS_KEPT_MS)
        await worker.tidy?.()
        this.#troubles.delete('due')
      } catch (error) {
        this.#trouble('due', error)
      }
      await clock.delay(this.#limits.dueEveryMs, signal)
    }
  }

  #begin(task: HeldTask): void {
    const doing = this.#do(task)
      .catch((error: unknown) => this.#trouble('tasks', error))
      .finally(() => {
        this.#underWay.delete(doing)
        this.#wakeUp()
      })
    this.#underWay.add(doing)
  }

  async #do(task: HeldTask): Promise<void> {
    const { worker, engines, log, onOutcome } = this.#options
    const { database } = engines
    const { taskId } = task
    // Done, but the process died before the row said so: the stream is right.
    const { status } = await this.#stateOf(taskId)
    if (status === 'completed' || status === 'parked') {
      await settleTask(database, taskId, status === 'completed' ? 'done' : 'parked')
      return
    }
    try {
      await this.#perform(task)
    } catch (error) {
      const outcome = await this.#afterFailure(task, error)
      onOutcome?.(outcome)
      return
    }
    await this.#record({ type: 'CompleteTask', ...this.#idsOf(taskId) }, `complete:${taskId}`)
    await settleTask(database, taskId, 'done')
    onOutcome?.('done')
    log.info({ worker: worker.name, taskId, subject: task.subject }, 'a task is done')
  }

  async #perform(task: HeldTask): Promise<void> {
    const { worker, clock } = this.#options
    const { taskId, payload } = task
    const over = new AbortController()
    const lost = new AbortController()
    const signal = AbortSignal.any([over.signal, lost.signal, this.#cutting.signal])
    const keeping = this.#keep(task, lost, over.signal)
    const ended = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => ended.reject(new NotNow('the task was given up', 0)))
    const timeIsUp = clock.delay(this.#limits.tryMs, signal).then(() => {
      if (!signal.aborted) ended.reject(new Error(`it took longer than ${this.#limits.tryMs} ms`))
    })
    try {
      await Promise.race([worker.perform({ taskId, payload }, signal), ended.promise])
    } finally {
      ended.promise.catch(() => {})
      over.abort()
      await Promise.all([keeping, timeIsUp])
    }
  }

  /** Renews the lease while the work goes on; whoever lost it stops. */
  async #keep(task: HeldTask, lost: AbortController, over: AbortSignal): Promise<void> {
    const { engines, clock } = this.#options
    const { leaseMs } = this.#limits
    let until = clock.now() + leaseMs
    while (!over.aborted) {
      await clock.delay(leaseMs / 3, over)
      if (over.aborted) return
      const askedAt = clock.now()
      const kept = await keepTask(engines.database, task, leaseMs).catch(() => null)
      if (kept) until = askedAt + leaseMs
      else if (kept === false || clock.now() >= until) {
        lost.abort()
        return
      }
    }
  }

  async #afterFailure(task: HeldTask, error: unknown): Promise<TaskOutcome> {
    const { worker, engines, clock, log } = this.#options
    const { taskId, subject } = task
    if (error instanceof NotNow) {
      await releaseTask(engines.database, task, task.attempts, isoTime(clock.now() + error.retryAfterMs))
      return 'not_now'
    }
    const attempts = task.attempts + 1
    const reason = shownError(error)
    if (attempts < this.#limits.attemptsMax) {
      const retryMs = retryDelayMs(attempts, this.#limits.retryMs)
      log.warn({ worker: worker.name, taskId, subject, attempts, retryMs, reason }, 'a task failed and is tried again')
      await releaseTask(engines.database, task, attempts, isoTime(clock.now() + retryMs))
      return 'failed'
    }
    const facts = { subject, attempts, error: reason }
    await this.#record({ type: 'ParkTask', ...this.#idsOf(taskId), ...facts }, `park:${taskId}:${task.epoch}`)
    await settleTask(engines.database, taskId, 'parked')
    log.error({ worker: worker.name, taskId, subject, attempts, reason }, 'a task failed too often and is parked')
    return 'parked'
  }

  #idsOf(taskId: string) {
    return { taskId, worker: this.name, at: isoTime(this.#options.clock.now()) }
  }

  async #stateOf(taskId: string) {
    const events = []
    for await (const event of this.#options.engines.store.readStream(streamName('task', taskId))) events.push(event)
    return fold(taskDecider, events as never)
  }

  async #record(command: TaskCommand, commandId: string): Promise<void> {
    const context = { commandId, correlationId: command.taskId, actor: { kind: 'system', name: this.name } } as const
    await this.#options.engines.commands.handle(taskDecider, streamName('task', command.taskId), command, context)
  }

  #trouble(where: 'intake' | 'tasks' | 'due', error: unknown): void {
    if (this.#stopping.signal.aborted) return
    this.#troubles.add(where)
    this.#options.log.warn({ err: error, worker: this.name, where }, 'a worker cannot go on now')
  }
}
