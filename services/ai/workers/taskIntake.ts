import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import { addTasks, type NewTask, reopenTask, settleTask } from '../../../capabilities/tasks/taskTable.ts'
import { countedOnce, type Remembered, recall, remember } from '../../../capabilities/tasks/workerMemory.ts'
import type { Recorded } from '../../../contracts/envelope.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import type { TaskEvent } from '../../../contracts/events/task.ts'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import { type Category, categoryOf } from '../../../contracts/streams.ts'
import { type Clock, isoTime } from '../../../platform/clock/clock.ts'
import { traceOfEvent } from '../../../platform/tracing/eventTrace.ts'
import { BUSY_EVENTS_MIN, IDLE_CHECKPOINT_MS } from '../../../projections/runner/batchLimits.ts'
import {
  advanceCheckpoint,
  lockModel,
  readCheckpoint,
  readPartition,
  writeCheckpoint,
} from '../../../projections/runner/checkpoints.ts'
import type { Database, Feed, FeedBatch, FeedCarrier, Sql } from '../../../projections/runner/ports.ts'
import { NoticePlan } from './noticePlan.ts'
import type { Enrolment, Notice, TaskDraft, Worker } from './worker.ts'

/** How long an intake waits for more events before its next transaction. */
export const INTAKE_GATHER_MS = { quiet: 5, steady: 200, busy: 300 } as const
/** So many batches in a row without a task are the calls of a company that has enough credits, and no mail is due soon. */
export const STEADY_FRUITLESS_MIN = 8

export type IntakeOptions = {
  readonly worker: Worker
  readonly database: Database
  readonly feed: Feed
  readonly carrier?: FeedCarrier | undefined
  readonly clock: Clock
  /** Without it, notices are dropped. */
  readonly enrolment?: Enrolment | undefined
  /** Called when there are new or reopened tasks. */
  readonly onTasks: () => void
  readonly onFailure: (error: unknown) => void
  readonly onAdvanced?: () => void
}

const DROPPED: Enrolment = { plan: async () => async () => {} }
const VERSION = 1
const RETRY_DELAY_MS = 1_000

/** Includes events of tasks, which record what operators do with them. */
export const categoriesReadBy = (worker: Worker): readonly Category[] => [...worker.categories, 'task']

export function newTask(worker: Worker, { cause, subject, payload }: TaskDraft): NewTask {
  return { taskId: deterministicId(`task:${worker.name}:${cause}`), subject, payload }
}

/**
 * Reads the feed for one worker and stores its tasks in one transaction with the checkpoint. Several processes may run it:
 * the checkpoint lets only one of them advance in each partition.
 */
export async function runIntake(options: IntakeOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await new Intake(options, signal).follow()
    } catch (error) {
      if (signal.aborted) return
      options.onFailure(error)
    }
    await options.clock.delay(RETRY_DELAY_MS, signal)
  }
}

/** What the events of a batch lead to. */
type Found = { readonly drafts: TaskDraft[]; readonly notices: Notice[] }

class Intake {
  readonly #options: IntakeOptions
  readonly #checkpoint: { readonly name: string; readonly version: number }
  readonly #ending = new AbortController()
  readonly #signal: AbortSignal
  /** The last known checkpoint of each partition. */
  readonly #stored = new Map<string, Position>()
  #writtenAt: number
  /** Batches since the last one that led to a task. */
  #fruitless = 0

  constructor(options: IntakeOptions, signal: AbortSignal) {
    this.#options = options
    this.#checkpoint = { name: options.worker.name, version: VERSION }
    this.#signal = AbortSignal.any([signal, this.#ending.signal])
    this.#writtenAt = options.clock.now()
  }

  /** Returns when the checkpoint was moved back; the caller then starts again. */
  async follow(): Promise<void> {
    const { worker, feed, carrier, clock } = this.#options
    const categories = categoriesReadBy(worker)
    await this.#prepare(feed.partitionsOf(categories))
    const subscription = { consumer: worker.name, shared: true, carrier, categories, signal: this.#signal }
    const reached = (partition: string) => this.#reached(partition)
    for await (const batch of feed.subscribe({ ...subscription, reached })) {
      const events = await this.#storePersistently(batch)
      if (events > 0) await clock.delay(intakeGatherMs(events, this.#fruitless), this.#signal)
    }
  }

  /** Reading an event twice changes nothing, so new partitions start at the lowest position of the old ones. */
  async #prepare(partitions: readonly string[]): Promise<void> {
    await this.#options.database.transaction(async (sql) => {
      await lockModel(sql, this.#checkpoint)
      const positions = (await readCheckpoint(sql, this.#checkpoint.name, true))?.positions ?? {}
      if (partitions.every((partition) => positions[partition] !== undefined)) return
      const [first = BEGINNING] = Object.values(positions).sort()
      await writeCheckpoint(sql, this.#checkpoint, partitions, first)
    })
  }

  async #reached(partition: string): Promise<Position> {
    const position = await readPartition(this.#options.database, this.#checkpoint, partition)
    if (position === null) this.#ending.abort()
    else this.#stored.set(partition, position)
    return position ?? BEGINNING
  }

  async #storePersistently(batch: FeedBatch<EventOf>): Promise<number> {
    const { clock, onFailure, onAdvanced } = this.#options
    const isIdle = batch.events.length === 0 && clock.now() - this.#writtenAt < IDLE_CHECKPOINT_MS
    while (!isIdle && !this.#signal.aborted) {
      try {
        const events = await this.#store(batch)
        this.#writtenAt = clock.now()
        onAdvanced?.()
        return events
      } catch (error) {
        if (this.#signal.aborted) break
        onFailure(error)
        await clock.delay(RETRY_DELAY_MS, this.#signal)
      }
    }
    return 0
  }

  async #store({ partition, after, events, position }: FeedBatch<EventOf>): Promise<number> {
    const { database, enrolment, onTasks } = this.#options
    const plan = new NoticePlan(enrolment ?? DROPPED)
    for (;;) {
      const from = this.#stored.get(partition) ?? after
      if (from >= position) return 0
      const unread = events.filter((event) => event.position > from)
      const tasks = await plan.run(() =>
        database.transaction(async (sql) => {
          // This comes first because it locks the checkpoint: a second reader waits here and then sees that it has moved.
          if (!(await advanceCheckpoint(sql, { projection: this.#checkpoint, partition, from, to: position })))
            return null
          return this.#take(sql, unread, plan)
        }),
      )
      if (tasks !== null) {
        this.#stored.set(partition, position)
        this.#fruitless = tasks > 0 ? 0 : this.#fruitless + 1
        if (tasks > 0) onTasks()
        return unread.length
      }
      const stored = await readPartition(database, this.#checkpoint, partition)
      if (stored === null || stored < from) {
        this.#ending.abort()
        return 0
      }
      this.#stored.set(partition, stored)
    }
  }

  /** Returns the number of new and reopened tasks. */
  async #take(sql: Sql, events: readonly Recorded<EventOf>[], plan: NoticePlan): Promise<number> {
    const { worker, clock } = this.#options
    const now = isoTime(clock.now())
    const found: Found = { drafts: [], notices: [] }
    const { drafts, notices } = found
    let changes = 0
    const lookedUp = (await worker.lookUp?.(sql, events)) ?? null
    const considered = await this.#consider(sql, events, lookedUp, found)
    for (const event of events) {
      if (isTaskEvent(event)) changes += await this.#settle(sql, event, now)
      else if (!considered.has(event)) {
        const consequence = worker.consider(event, null, clock.now(), lookedUp)
        drafts.push(...this.#traced(event, consequence.tasks))
        notices.push(...(consequence.notices ?? []))
      }
    }
    await plan.store(sql, notices)
    const tasks = new Map(drafts.map((draft) => newTask(worker, draft)).map((task) => [task.taskId, task]))
    return changes + (await addTasks(sql, worker.name, [...tasks.values()], now))
  }

  /** Folds the events of remembered streams into their memory and collects what follows. Returns these events. */
  async #consider(
    sql: Sql,
    events: readonly Recorded<EventOf>[],
    lookedUp: unknown,
    { drafts, notices }: Found,
  ): Promise<Set<Recorded<EventOf>>> {
    const { worker, clock, feed } = this.#options
    const isRemembered = ({ stream }: Recorded<EventOf>) => worker.remembers?.some((one) => one === categoryOf(stream))
    const all = events.filter(isRemembered)
    if (all.length === 0) return new Set()
    const fresh = feed.idsAreUnique ? all : await countedOnce(sql, worker.name, all)
    const recalled = await recall(sql, worker.name, [...new Set(fresh.map(({ stream }) => stream))])
    const changed = new Map<string, Remembered>()
    for (const event of fresh) {
      const { stream, revision } = event
      const before = changed.get(stream) ?? recalled.get(stream)
      if (before && before.revision >= revision) continue
      const known = before?.memory ?? null
      const { memory = known, tasks, notices: reported = [] } = worker.consider(event, known, clock.now(), lookedUp)
      changed.set(stream, { revision, memory })
      drafts.push(...this.#traced(event, tasks))
      notices.push(...reported)
    }
    await remember(sql, worker.name, changed)
    return new Set(all)
  }

  /** A task continues the trace of the event that it follows from. */
  #traced(event: Recorded<EventOf>, tasks: readonly TaskDraft[]): readonly TaskDraft[] {
    const traceparent = traceOfEvent(event, this.#options.clock.now())
    if (traceparent === undefined) return tasks
    return tasks.map((task) => ({ ...task, payload: { ...task.payload, traceparent } }))
  }

  /** Applies an event of a task's stream to its row, such as an operator's request to retry it. */
  async #settle(sql: Sql, event: TaskEvent, now: string): Promise<number> {
    const { taskId, worker } = event.data
    if (worker !== this.#options.worker.name) return 0
    if (event.type === 'TaskRequeued') {
      await reopenTask(sql, taskId, now)
      return 1
    }
    await settleTask(sql, taskId, event.type === 'TaskCompleted' ? 'done' : 'parked')
    return 0
  }
}

function isTaskEvent(event: Recorded<EventOf>): event is Recorded<TaskEvent> {
  return categoryOf(event.stream) === 'task'
}

/**
 * A transaction costs about the same for one event as for a hundred, and no caller waits for a worker. Every call is an
 * event, and few of them lead to a task: if each had its transaction, they would cost more than the calls' own appends. The
 * first event after a quiet time is read at once, and so is what follows an event that led to a task.
 */
export function intakeGatherMs(events: number, fruitlessInARow: number): number {
  const { quiet, steady, busy } = INTAKE_GATHER_MS
  if (events >= BUSY_EVENTS_MIN) return busy
  return fruitlessInARow < STEADY_FRUITLESS_MIN ? quiet : steady
}
