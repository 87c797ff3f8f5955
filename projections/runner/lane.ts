import type { Position } from '../../contracts/position.ts'
import {
  BUSY_EVENTS_MIN,
  IDLE_CHECKPOINT_MS,
  PROJECTION_BATCH_EVENTS_MAX,
  PROJECTION_GATHER_MS,
} from './batchLimits.ts'
import { readPartition } from './checkpoints.ts'
import type { FeedBatch } from './ports.ts'
import type { RunnerOptions } from './runnerOptions.ts'
import { SharedTransactions } from './sharedTransactions.ts'

/** After this many consecutive transactions that found events waiting, the load is steady. */
const STEADY_TRANSACTIONS_MIN = 8
/** From this many events per transaction on, the load is heavy. */
const HEAVY_EVENTS_MIN = 300

const RETRY_DELAY_MS = 1_000

/**
 * Applies the batches of one partition to the model, one transaction at a time; batches that arrive meanwhile share the
 * next transaction. Failures are retried here, because leaving the feed would rebalance its other readers.
 */
export class Lane {
  readonly #options: RunnerOptions
  readonly #transactions: Pick<SharedTransactions, 'store'>
  readonly #partition: string
  readonly #signal: AbortSignal
  /** Called when retrying cannot help: the checkpoint is behind the feed's batch, or belongs to another version. */
  readonly #onLost: () => void
  #waiting: FeedBatch | null = null
  #room = Promise.withResolvers<void>()
  #isWorking = false
  #working = Promise.resolve()
  #reminder: Promise<void> | null = null
  /** The checkpoint as last read or written. */
  #stored: Position | null = null
  #writtenAt: number

  constructor(options: RunnerOptions, partition: string, signal: AbortSignal, onLost: () => void) {
    this.#options = options
    this.#transactions = options.transactions ?? new SharedTransactions(options.database, options.feed.idsAreUnique)
    this.#partition = partition
    this.#signal = signal
    this.#onLost = onLost
    this.#writtenAt = options.clock.now()
  }

  /** Resolves when the next batch is accepted, which is long before this one is stored. */
  async take(delivered: FeedBatch): Promise<void> {
    const { skips } = this.#options.projection
    const batch = skips ? without(delivered, skips) : delivered
    while (this.#waiting && !fits(this.#waiting, batch) && !this.#signal.aborted) {
      this.#work()
      await this.#room.promise
    }
    this.#waiting = this.#waiting ? joined(this.#waiting, batch) : batch
    if (this.#isWorthATransaction(this.#waiting)) this.#work()
    else this.#remind()
  }

  /** Resolves when the last transaction is over. Call it after the signal has aborted. */
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

  /** A checkpoint that only skips events of other streams is written from time to time, not for each event. */
  #isWorthATransaction(batch: FeedBatch): boolean {
    return batch.events.length > 0 || this.#options.clock.now() - this.#writtenAt >= IDLE_CHECKPOINT_MS
  }

  /** Writes the checkpoint later, even if no other batch arrives. */
  #remind(): void {
    this.#reminder ??= this.#options.clock.delay(IDLE_CHECKPOINT_MS, this.#signal).then(() => {
      this.#reminder = null
      if (this.#waiting && !this.#signal.aborted) this.#work()
    })
  }

  /** Returns the number of events stored: 0 if another runner stored them or the signal aborted. */
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
    const { projection, database, clock, onAdvanced, onApplied } = this.#options
    for (;;) {
      const beganAtMs = clock.now()
      const from = this.#stored === null || this.#stored < batch.after ? batch.after : this.#stored
      if (from >= batch.position) return 0
      const events = from === batch.after ? batch.events : batch.events.filter(({ position }) => position > from)
      const step = { projection, partition: this.#partition, from, to: batch.position, events }
      if (await this.#transactions.store(step)) {
        this.#stored = batch.position
        this.#writtenAt = clock.now()
        onAdvanced?.(this.#partition, batch.position, events.length)
        onApplied?.(events, beganAtMs)
        return events.length
      }
      // Another runner or a rebuild moved the checkpoint, or a crash of the database moved it back.
      this.#stored = await readPartition(database, projection, this.#partition)
      if (this.#stored === null || this.#stored < batch.after) {
        this.#onLost()
        return 0
      }
    }
  }
}

function without(batch: FeedBatch, types: ReadonlySet<string>): FeedBatch {
  return { ...batch, events: batch.events.filter(({ type }) => !types.has(type)) }
}

/** Batches with a gap between them need two transactions: another runner had the partition in between. */
function fits(waiting: FeedBatch, batch: FeedBatch): boolean {
  const events = waiting.events.length + batch.events.length
  return batch.after === waiting.position && events <= PROJECTION_BATCH_EVENTS_MAX
}

function joined(waiting: FeedBatch, batch: FeedBatch): FeedBatch {
  return { ...waiting, events: [...waiting.events, ...batch.events], position: batch.position }
}

/**
 * A transaction costs about the same for one event as for a hundred, so under load it waits for more; when catching up
 * it does not. A short series of single events probably comes from a caller that waits for each of them.
 */
function gatherMs(events: number, transactionsInARow: number): number {
  if (events >= PROJECTION_BATCH_EVENTS_MAX / 2) return 0
  const { quiet, steady, busy, heavy } = PROJECTION_GATHER_MS
  if (events >= HEAVY_EVENTS_MIN) return heavy
  if (events >= BUSY_EVENTS_MIN) return busy
  return transactionsInARow < STEADY_TRANSACTIONS_MIN ? quiet : steady
}
