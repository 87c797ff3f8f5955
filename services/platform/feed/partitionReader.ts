import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { Position } from '../../../contracts/position.ts'
import type { TopicMessage } from '../../../contracts/topics.ts'
import { PROJECTION_BATCH_EVENTS_MAX } from '../../../projections/runner/batchLimits.ts'
import type { FeedBatch } from '../../../projections/runner/ports.ts'
import type { EventBatch } from '../eventStore/port.ts'

/** A page of the partition's events from the store; its position is how far the store was looked through for them. */
export type ReadPage = (after: Position) => Promise<EventBatch>

/**
 * What the messages of a partition mean to a reader who stands somewhere in the store. It needs nothing but their
 * positions: whatever Kafka repeats is dropped, and whatever Kafka has lost is read from the store.
 */
export class PartitionReader {
  readonly #partition: string
  readonly #readPage: ReadPage
  #reached: Position

  constructor(partition: string, reached: Position, readPage: ReadPage) {
    this.#partition = partition
    this.#reached = reached
    this.#readPage = readPage
  }

  get reached(): Position {
    return this.#reached
  }

  /** The batches that the messages come to. Whoever breaks off can give the same messages again. */
  async *read(messages: Iterable<TopicMessage>): AsyncGenerator<FeedBatch> {
    let events: RecordedEvent[] = []
    let position = this.#reached
    for (const message of messages) {
      if (message.previous > position) {
        if (position > this.#reached) yield this.#batch(events, position)
        yield* this.catchUp(message.previous)
        events = []
        position = this.#reached
      }
      if (message.position <= position) continue
      if (message.event) events.push(message.event)
      position = message.position
      if (events.length === PROJECTION_BATCH_EVENTS_MAX) {
        yield this.#batch(events, position)
        events = []
      }
    }
    if (position > this.#reached) yield this.#batch(events, position)
  }

  /** Reads from the store until the reader has come to the position, or past it: what the store says is true anyway. */
  async *catchUp(position: Position): AsyncGenerator<FeedBatch> {
    while (this.#reached < position) {
      const page = await this.#readPage(this.#reached)
      if (page.position <= this.#reached) {
        throw new Error(`the event store ends at ${page.position || 'its beginning'}, but ${position} was published`)
      }
      yield this.#batch(page.events, page.position)
    }
  }

  /** Counts as read once it is given. */
  #batch(events: readonly RecordedEvent[], position: Position): FeedBatch {
    const after = this.#reached
    this.#reached = position
    return { partition: this.#partition, after, events, position }
  }
}
