import type { Position } from '../../../contracts/position.ts'
import type { TopicMessage } from '../../../contracts/topics.ts'
import type { FeedBatch } from '../../../projections/runner/ports.ts'
import type { Handover } from './handover.ts'
import type { PartitionReader } from './partitionReader.ts'

export type PartitionSupplyParts = {
  readonly handover: Handover
  /** A reader that stands where the subscriber stands. */
  readonly start: () => Promise<PartitionReader>
  /** Where the store ends, for a subscriber that shall have everything up to there before any message; else null. */
  readonly head: (() => Promise<Position>) | null
  readonly pause: (signal: AbortSignal) => Promise<void>
  readonly onTrouble: (error: unknown) => void
}

/** Brings what is on one partition to one subscriber, as long as both are there. */
export class PartitionSupply {
  readonly #parts: PartitionSupplyParts
  readonly #ending = new AbortController()
  #reader: PartitionReader | null = null
  /** What was begun is finished in its order. */
  #work: Promise<void>

  constructor(parts: PartitionSupplyParts) {
    this.#parts = parts
    this.#work = this.#persistently(() => this.#begin())
  }

  /** What the subscriber has not taken by now it gets from whoever has the partition next. */
  end(): void {
    this.#ending.abort()
    this.#parts.handover.dismiss(this)
  }

  /** Resolves when the subscriber has taken what is in the messages, or the supply has ended. */
  take(messages: Iterable<TopicMessage>): Promise<void> {
    this.#work = this.#work.then(() => this.#persistently(() => this.#read(messages)))
    return this.#work
  }

  async #begin(): Promise<void> {
    this.#reader ??= await this.#parts.start()
    const head = await this.#parts.head?.()
    if (head !== undefined) await this.#give(this.#reader.catchUp(head))
  }

  async #read(messages: Iterable<TopicMessage>): Promise<void> {
    if (this.#reader) await this.#give(this.#reader.read(messages))
  }

  async #give(batches: AsyncIterable<FeedBatch>): Promise<void> {
    for await (const batch of batches) {
      if (this.#hasEnded || !(await this.#parts.handover.give(this, batch))) return
    }
  }

  /** The store or the database may be away; leaving the group for that would only stir up its other members. */
  async #persistently(step: () => Promise<void>): Promise<void> {
    while (!this.#hasEnded) {
      try {
        return await step()
      } catch (error) {
        if (this.#hasEnded) return
        this.#parts.onTrouble(error)
        await this.#parts.pause(this.#ending.signal)
      }
    }
  }

  get #hasEnded(): boolean {
    return this.#ending.signal.aborted
  }
}
