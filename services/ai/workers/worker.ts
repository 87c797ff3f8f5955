import type { TaskPayload } from '../../../capabilities/tasks/taskTable.ts'
import type { Recorded } from '../../../contracts/envelope.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import type { WorkerName } from '../../../contracts/events/task.ts'
import type { NoticeType } from '../../../contracts/noticeTypes.ts'
import type { Category } from '../../../contracts/streams.ts'
import type { Sql } from '../../../projections/runner/ports.ts'

/** A task to add, and its cause. */
export type TaskDraft = {
  /** Identifies the cause for ever: the id of the task derives from it. */
  readonly cause: string
  /** Describes the task to an operator. */
  readonly subject: string
  readonly payload: TaskPayload
}

export type Task = {
  readonly taskId: string
  readonly payload: TaskPayload
}

/** A message for the webhook endpoints of a company. */
export type Notice = {
  /** Identifies the message for ever, also for its receivers: the id of the event that it reports, where there is one. */
  readonly messageId: string
  readonly type: NoticeType
  readonly companyId: string
  readonly at: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What follows from an event or from time passing: tasks of the worker, and messages to companies. */
export type Consequence = {
  readonly tasks: readonly TaskDraft[]
  readonly notices?: readonly Notice[]
  /** The new memory of the event's stream. */
  readonly memory?: unknown
}

/** Turns notices into deliveries. */
export type Enrolment = {
  /** Finds the receivers. Must not run inside a transaction, because it needs a connection of its own. */
  plan(notices: readonly Notice[]): Promise<StoreDeliveries>
}

/** Stores deliveries in the caller's transaction. Those of notices that were stored before are left out. */
export type StoreDeliveries = (sql: Sql) => Promise<void>

export type Worker<C extends Category = Category> = {
  readonly name: WorkerName
  /** The categories of streams whose events lead to tasks. */
  readonly categories: readonly C[]
  /** The categories of which the worker keeps a memory for each stream. Their events arrive in order, each once. */
  readonly remembers?: readonly C[]
  /** Reads what `consider` needs to know besides the events, once for each batch of them. */
  lookUp?(sql: Sql, events: readonly Recorded<EventOf<C>>[]): Promise<unknown>
  /** Pure. The memory is null at the first event of a stream. `found` is what `lookUp` returned; null without it. */
  consider(event: Recorded<EventOf<C>>, memory: unknown, nowMs: number, found: unknown): Consequence
  /** What falls due by time. Called repeatedly; it may return tasks and notices that exist already. */
  due?(nowMs: number): Promise<Consequence>
  /** Periodic clean-up. */
  cleanUp?(): Promise<void>
  /**
   * Performs the task. It must be idempotent, because it is called again after a crash. If it throws, the task is retried
   * later; a failure that no retry can fix is recorded by the worker itself, which then returns.
   */
  perform(task: Task, signal: AbortSignal): Promise<void>
}

/** The attempt was not made, because it would certainly fail now. It does not count as an attempt. */
export class NotNow extends Error {
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.name = 'NotNow'
    this.retryAfterMs = retryAfterMs
  }
}

/** The attempt failed, and the worker itself says when the next one is due. Such a task is never parked. */
export class TryAgain extends Error {
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.name = 'TryAgain'
    this.retryAfterMs = retryAfterMs
  }
}
