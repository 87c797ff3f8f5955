import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import {
  BUSY_EVENTS_MIN,
  IDLE_CHECKPOINT_MS,
  PROJECTION_BATCH_EVENTS_MAX,
  PROJECTION_GATHER_MS,
} from './batchLimits.ts'
import { advanceCheckpoint, readPartition } from './checkpoints.ts'
import type { FeedBatch } from './ports.ts'
import type { RunnerOptions } from './runnerOptions.ts'
import { applyBatch, LIVE_SCHEMA } from './tables.ts'

/** After so many transactions that found the next events waiting, they come steadily. */
const STEADY_TRANSACTIONS_MIN = 8
/** From this many events a transaction on, the load is heavy. */
const HEAVY_EVENTS_MIN = 300

const RETRY_DELAY_MS = 1_000

/**
 * Brings the batches of one partition into the model: one transaction at a time, several batches in it when they come
 * faster than that. What goes wrong is tried again here, because leaving the feed for it would stir up its other readers.
 */
export class Lane {
  readonly #options: RunnerOptions
  readonly #partition: string
  readonly #signal: AbortSignal
  /** Told when no waiting helps: the model's checkpoint is behind what the feed gives, or of another version. */
  readonly #onLost: () => void
  #waiting: FeedBatch | null = null
  #room = Promise.withResolvers<void>()
  #isWorking = false
  #working = Promise.resolve()
  #reminder: Promise<void> | null = null
  /** Where the checkpoint stood when it was last seen. */
  #stored: Position | null = null
  #writtenAt: number

  constructor(options: RunnerOptions, partition: string, signal: AbortSignal, onLost: () => void) {
    this.#options = options
    this.#partition = partition
    this.#signal = signal
    this.#onLost = onLost
    this.#writtenAt = options.clock.now()
  }

  /** Resolves when the next batch may come, which is long before this one is stored. */
  async take(batch: FeedBatch): Promise<void> {
    while (this.#waiting && !fits(this.#waiting, batch) && !this.#signal.aborted) {
      this.#work()
      await this.#room.promise
    }
    this.#waiting = this.#waiting ? joined(this.#waiting, batch) : batch
    if (this.#isWorthATransaction(this.#waiting)) this.#work()
    else this.#remind()
  }

  /** Once the signal has aborted: when the last transaction is over. */
  async settled(): Promise<void> {
    await this.#working
  }

  #work(): void {
    if (this.#isWorking) return
    this.#isWorking = true
    this.#working = this.#storeAll()
  }

  async #storeAll(): Promise<void> {
    const { clock } = this.#options
    for (let transactions = 1; this.#waiting && !this.#signal.aborted; transactions++) {
      const batch = this.#waiting
      this.#waiting = null
      this.#makeRoom()
      await clock.delay(gatherMs(await this.#storePersistently(batch), transactions), this.#signal)
      if (this.#waiting && !this.#isWorthATransaction(this.#waiting)) break
    }
    this.#isWorking = false
    this.#makeRoom()
    if (this.#waiting) this.#remind()
  }

  #makeRoom(): void {
    this.#room.resolve()
    this.#room = Promise.withResolvers()
  }

  /** A checkpoint that moves over other streams' events only is written now and then, not for each of them. */
  #isWorthATransaction(batch: FeedBatch): boolean {
    return batch.events.length > 0 || this.#options.clock.now() - this.#writtenAt >= IDLE_CHECKPOINT_MS
  }

  /** It is written even if nothing comes any more. */
  #remind(): void {
    this.#reminder ??= this.#options.clock.delay(IDLE_CHECKPOINT_MS, this.#signal).then(() => {
      this.#reminder = null
      if (this.#waiting && !this.#signal.aborted) this.#work()
    })
  }

  /** The number of events that it stored: none when another runner has done it, or the signal aborts. */
  async #storePersistently(batch: FeedBatch): Promise<number> {
    const { clock, onTrouble } = this.#options
    while (!this.#signal.aborted) {
      try {
        return await this.#store(batch)
      } catch (error) {
        if (this.#signal.aborted) break
        onTrouble?.(error)
        await clock.delay(RETRY_DELAY_MS, this.#signal)
      }
    }
    return 0
  }

  async #store(batch: FeedBatch): Promise<number> {
    const { projection, database, clock, onAdvanced } = this.#options
    for (;;) {
      const from = this.#stored === null || this.#stored < batch.after ? batch.after : this.#stored
      if (from >= batch.position) return 0
      const events = from === batch.after ? batch.events : batch.events.filter(({ position }) => position > from)
      if (await this.#commit(from, batch.position, events)) {
        this.#stored = batch.position
        this.#writtenAt = clock.now()
        onAdvanced?.(this.#partition, batch.position, events.length)
        return events.length
      }
      // Another runner has moved it, or a rebuild, or a crash of the database has moved it back.
      this.#stored = await readPartition(database, projection, this.#partition)
      if (this.#stored === null || this.#stored < batch.after) {
        this.#onLost()
        return 0
      }
    }
  }

  /** Rows and checkpoint are lost or kept together, so the commit need not wait for the disk: what is lost comes again. */
  #commit(from: Position, to: Position, events: readonly RecordedEvent[]): Promise<boolean> {
    const { projection, database, feed } = this.#options
    return database.transaction(
      async (sql) => {
        // First, because it locks the checkpoint: a second runner or a rebuild waits here and then sees that it moved.
        const mine = await advanceCheckpoint(sql, projection, this.#partition, from, to)
        if (mine) await applyBatch(sql, projection, LIVE_SCHEMA, events, feed.idsAreUnique)
        return mine
      },
      { repeatable: true },
    )
  }
}

/** Two that do not follow on each other belong into two transactions: in between, another runner had the partition. */
function fits(waiting: FeedBatch, batch: FeedBatch): boolean {
  const events = waiting.events.length + batch.events.length
  return batch.after === waiting.position && events <= PROJECTION_BATCH_EVENTS_MAX
}

function joined(waiting: FeedBatch, batch: FeedBatch): FeedBatch {
  return { ...waiting, events: [...waiting.events, ...batch.events], position: batch.position }
}

/**
 * A transaction costs about the same for one event as for a hundred: under load it waits for more, behind it does not.
 * One event after the other, a few of them, is somebody who waits for each.
 */
function gatherMs(events: number, transactionsInARow: number): number {
  if (events >= PROJECTION_BATCH_EVENTS_MAX / 2) return 0
  const { quiet, steady, busy, heavy } = PROJECTION_GATHER_MS
  if (events >= HEAVY_EVENTS_MIN) return heavy
  if (events >= BUSY_EVENTS_MIN) return busy
  return transactionsInARow < STEADY_TRANSACTIONS_MIN ? quiet : steady
}
