import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { WorkerName } from '../../../contracts/events/task.ts'
import type { Category } from '../../../contracts/streams.ts'
import type { TaskPayload } from '../../platform/tasks/taskTable.ts'

/** What a worker is to do, and why. */
export type TaskDraft = {
  /** Names the cause, once and for ever: the id of the task derives from it. */
  readonly cause: string
  /** For the operator who finds it parked. */
  readonly subject: string
  readonly payload: TaskPayload
}

export type Task = {
  readonly taskId: string
  readonly payload: TaskPayload
}

/** What follows from an event: tasks, and what the worker will know of the stream from now on. */
export type Consequence = { readonly tasks: readonly TaskDraft[]; readonly memory?: unknown }

export type Worker = {
  readonly name: WorkerName
  /** The streams whose events bring tasks. */
  readonly categories: readonly Category[]
  /** Those of them that it keeps a memory of; their events come to it in order, each once. */
  readonly remembers?: readonly Category[]
  /** Pure. The memory is null at a stream's first event. */
  consider(event: RecordedEvent, memory: unknown, nowMs: number): Consequence
  /** Tasks that time brings. Asked again and again: it may name those that are known. */
  due?(nowMs: number): Promise<readonly TaskDraft[]>
  /** What there is to tidy up now and then. */
  tidy?(): Promise<void>
  /**
   * Does it, or finds it done: it may be called again after a crash. What it throws is tried again later; what no
   * trying will mend it records in its own way, and returns.
   */
  perform(task: Task, signal: AbortSignal): Promise<void>
}

/** Nothing was tried, because it is known to be of no use yet. Does not count as a try. */
export class NotNow extends Error {
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.name = 'NotNow'
    this.retryAfterMs = retryAfterMs
  }
}
