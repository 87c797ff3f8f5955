import type { Position } from '../../contracts/position.ts'
import type { TopicMessage } from '../../contracts/topics.ts'
import type { FeedBatch } from '../../projections/runner/ports.ts'
import type { BatchQueue } from './batchQueue.ts'
import type { PartitionReader } from './partitionReader.ts'

export type PartitionSupplyOptions = {
  readonly queue: BatchQueue
  /** Opens a reader at the position of the subscriber. */
  readonly start: () => Promise<PartitionReader>
  /** The head of the store, if the subscriber must catch up from the store before it gets messages; otherwise null. */
  readonly head: (() => Promise<Position>) | null
  readonly pause: (signal: AbortSignal) => Promise<void>
  readonly onTrouble: (error: unknown) => void
}

/** Delivers one partition to one subscriber, until either of them ends. */
export class PartitionSupply {
  readonly #options: PartitionSupplyOptions
  readonly #ending = new AbortController()
  #reader: PartitionReader | null = null
  /** Steps run in the order in which they were requested. */
  #work: Promise<void>

  constructor(options: PartitionSupplyOptions) {
    this.#options = options
    this.#work = this.#retrying(() => this.#begin())
  }

  /** Batches that the subscriber has not taken come again from the next member that gets the partition. */
  end(): void {
    this.#ending.abort()
    this.#options.queue.discard(this)
  }

  /** Resolves when the subscriber has taken the events of the messages, or the supply has ended. */
  take(messages: Iterable<TopicMessage>): Promise<void> {
    this.#work = this.#work.then(() => this.#retrying(() => this.#read(messages)))
    return this.#work
  }

  async #begin(): Promise<void> {
    this.#reader ??= await this.#options.start()
    const head = await this.#options.head?.()
    if (head !== undefined) await this.#give(this.#reader.catchUp(head))
  }

  async #read(messages: Iterable<TopicMessage>): Promise<void> {
    if (this.#reader) await this.#give(this.#reader.read(messages))
  }

  async #give(batches: AsyncIterable<FeedBatch>): Promise<void> {
    for await (const batch of batches) {
      if (this.#hasEnded || !(await this.#options.queue.put(this, batch))) return
    }
  }

  /** Retries while the store or the database is unavailable. Leaving the group would only cause a rebalance. */
  async #retrying(step: () => Promise<void>): Promise<void> {
    while (!this.#hasEnded) {
      try {
        return await step()
      } catch (error) {
        if (this.#hasEnded) return
        this.#options.onTrouble(error)
        await this.#options.pause(this.#ending.signal)
      }
    }
  }

  get #hasEnded(): boolean {
    return this.#ending.signal.aborted
  }
}
