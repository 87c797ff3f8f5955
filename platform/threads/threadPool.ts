import type { TransferListItem } from 'node:worker_threads'
import type { Clock, Timer } from '../clock/clock.ts'
import { HttpError } from '../http/answer/httpError.ts'
import { TaskFailed, TaskThread } from './taskThread.ts'
import { Turns } from './turns.ts'

/** Two, so that one company's task does not keep the others waiting. */
const THREADS_MAX = 2
const THREADS_PER_OWNER_MAX = 1
const TASKS_WAITING_MAX = 200
const TASKS_WAITING_PER_OWNER_MAX = 50
/** Includes the start of the thread, which takes seconds on a busy machine. */
const TASK_MS = 30_000
const THREAD_IDLE_MS = 60_000
const THREAD_HEAP_MB_MAX = 512
const RETRY_AFTER_SECONDS = 1

export type PoolOptions = {
  /** The module that the threads run; it calls `answerTasks`. */
  readonly program: URL
  readonly clock: Clock
  readonly taskMs?: number
  /** How many tasks of all owners may wait. By default, one owner has at most a quarter of the places. */
  readonly waitingMax?: number
}

export type TaskOptions = {
  /** Who the task is for: waiting owners take turns. */
  readonly owner: string
  /** Buffers that are transferred instead of copied. */
  readonly transfer?: readonly TransferListItem[]
}

/** Too many tasks wait for a thread. */
export class ThreadsBusy extends HttpError {
  constructor() {
    const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) }
    super(503, 'Too many large requests are being read. Retry with backoff.', headers)
    this.name = 'ThreadsBusy'
  }
}

/**
 * Runs long tasks on their own threads, so that they do not block the event loop. The first thread starts with the
 * first task, and all end when none has come for a minute.
 */
export class ThreadPool<Task, Result> {
  readonly #program: URL
  readonly #clock: Clock
  readonly #taskMs: number
  readonly #turns: Turns
  readonly #busy = new Set<TaskThread<Task, Result>>()
  #idle: TaskThread<Task, Result>[] = []
  #idleTimer: Timer | null = null

  constructor({ program, clock, taskMs = TASK_MS, waitingMax }: PoolOptions) {
    this.#turns = new Turns(
      {
        runningMax: THREADS_MAX,
        runningPerOwnerMax: THREADS_PER_OWNER_MAX,
        waitingMax: waitingMax ?? TASKS_WAITING_MAX,
        waitingPerOwnerMax: waitingMax ?? TASKS_WAITING_PER_OWNER_MAX,
      },
      { busy: () => new ThreadsBusy(), canceled: () => new TaskFailed('the threads are ending') },
    )
    this.#program = program
    this.#clock = clock
    this.#taskMs = taskMs
  }

  /** Throws ThreadsBusy if too many tasks wait, and TaskFailed if the thread took too long or ended. */
  async run(task: Task, { owner, transfer = [] }: TaskOptions): Promise<Result> {
    const endTurn = await this.#turns.enter(owner)
    try {
      const thread = this.#takeIdle() ?? new TaskThread<Task, Result>(this.#program, THREAD_HEAP_MB_MAX, this.#clock)
      this.#busy.add(thread)
      try {
        return await thread.run(task, transfer, this.#taskMs)
      } finally {
        this.#busy.delete(thread)
        if (!thread.isEnded) this.#keep(thread)
      }
    } finally {
      endTurn()
    }
  }

  /** Ends all threads. Running and waiting tasks fail. */
  async close(): Promise<void> {
    this.#turns.close()
    await Promise.all([...[...this.#busy].map((thread) => thread.end()), this.#endIdle()])
  }

  #takeIdle(): TaskThread<Task, Result> | undefined {
    this.#idle = this.#idle.filter(({ isEnded }) => !isEnded)
    return this.#idle.pop()
  }

  #keep(thread: TaskThread<Task, Result>): void {
    this.#idle.push(thread)
    this.#idleTimer?.cancel()
    this.#idleTimer = this.#clock.every(THREAD_IDLE_MS, () => void this.#endIdle())
  }

  async #endIdle(): Promise<void> {
    this.#idleTimer?.cancel()
    const ending = this.#idle
    this.#idle = []
    await Promise.all(ending.map((thread) => thread.end()))
  }
}
