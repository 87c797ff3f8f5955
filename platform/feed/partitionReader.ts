import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import type { TopicMessage } from '../../contracts/topics.ts'
import { PROJECTION_BATCH_EVENTS_MAX } from '../../projections/runner/batchLimits.ts'
import type { FeedBatch } from '../../projections/runner/ports.ts'
import type { EventBatch } from '../eventStore/port.ts'

/** Reads a page of the partition's events from the store. Its position is the one up to which the store was searched. */
export type ReadPage = (after: Position) => Promise<EventBatch>

/**
 * Turns the messages of a partition into batches for a reader at some position of the store. It relies on the positions
 * only: messages that Kafka repeats are dropped, and events that Kafka has lost are read from the store.
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

  /** The batches for these messages. A caller that stops early can pass the same messages again. */
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

  /** Reads from the store until it reaches or passes the position. */
  async *catchUp(position: Position): AsyncGenerator<FeedBatch> {
    while (this.#reached < position) {
      const page = await this.#readPage(this.#reached)
      if (page.position <= this.#reached) {
        throw new Error(`the event store ends at ${page.position || 'its beginning'}, but ${position} was published`)
      }
      yield this.#batch(page.events, page.position)
    }
  }

  /** The batch counts as read once it is yielded. */
  #batch(events: readonly RecordedEvent[], position: Position): FeedBatch {
    const after = this.#reached
    this.#reached = position
    return { partition: this.#partition, after, events, position }
  }
}
