import type { Position } from '../../../contracts/position.ts'
import type { TopicMessage } from '../../../contracts/topics.ts'
import type { FeedBatch } from '../../../projections/runner/ports.ts'
import type { Handover } from './handover.ts'
import type { PartitionReader } from './partitionReader.ts'

export type AssignedPartitionParts = {
  readonly handover: Handover
  /** A reader that stands where the subscriber stands. */
  readonly start: () => Promise<PartitionReader>
  /** Where the store ends, for a subscriber that shall have everything up to there before any message; else null. */
  readonly head: (() => Promise<Position>) | null
  readonly pause: (signal: AbortSignal) => Promise<void>
  readonly onTrouble: (error: unknown) => void
}

/** A partition from the moment it is given to this member of the group until the group is divided anew. */
export class AssignedPartition {
  readonly #parts: AssignedPartitionParts
  readonly #revoked = new AbortController()
  #reader: PartitionReader | null = null
  /** What was begun is finished in its order. */
  #work: Promise<void>
  #takenOffset: string | null = null
  #hintedOffset: string | null = null

  constructor(parts: AssignedPartitionParts) {
    this.#parts = parts
    this.#work = this.#persistently(() => this.#begin())
  }

  get isRevoked(): boolean {
    return this.#revoked.signal.aborted
  }

  /** What the subscriber has not taken by now it gets from whoever has the partition next. */
  revoke(): void {
    this.#revoked.abort()
    this.#parts.handover.dismiss(this)
  }

  /** Resolves when the subscriber has taken what is in the messages, or the partition is revoked. */
  take(messages: Iterable<TopicMessage>, lastOffset: string): Promise<void> {
    this.#work = this.#work
      .then(() => this.#persistently(() => this.#read(messages)))
      .then(() => {
        if (!this.isRevoked) this.#takenOffset = lastOffset
      })
    return this.#work
  }

  /** The offset to look at first next time; null when it has not changed since this was last asked. */
  nextHint(): string | null {
    if (this.#takenOffset === this.#hintedOffset || this.#takenOffset === null) return null
    this.#hintedOffset = this.#takenOffset
    return String(BigInt(this.#takenOffset) + 1n)
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
      if (this.isRevoked || !(await this.#parts.handover.give(this, batch))) return
    }
  }

  /** The store or the database may be away; leaving the group for that would only stir up its other members. */
  async #persistently(step: () => Promise<void>): Promise<void> {
    while (!this.isRevoked) {
      try {
        return await step()
      } catch (error) {
        if (this.isRevoked) return
        this.#parts.onTrouble(error)
        await this.#parts.pause(this.#revoked.signal)
      }
    }
  }
}
