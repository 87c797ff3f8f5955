import { BEGINNING, type Checkpoint, type Position } from '../../contracts/position.ts'
import { CATEGORIES, type Category } from '../../contracts/streams.ts'
import {
  type OutgoingMessage,
  partitionName,
  type TopicPartition,
  topicPartitionOf,
  topicPartitionsOf,
} from '../../contracts/topics.ts'
import type { EventBatch } from '../platform/eventStore/port.ts'

const PARTITIONS = CATEGORIES.flatMap(topicPartitionsOf)

/**
 * Makes messages of what the store gives, in its order. It knows the last position of every partition, so that each
 * message can name its predecessor: between the two, the partition has no event.
 */
export class Messages {
  #position: Position
  readonly #last: Map<string, Position>
  #changes = new Map<string, Position>()

  /** A partition that was never written to stands where the relay stands: what came before was nobody's to publish. */
  constructor(position: Position, last: Checkpoint) {
    this.#position = position
    this.#last = new Map(PARTITIONS.map(partitionName).map((name) => [name, last[name] ?? position]))
  }

  get position(): Position {
    return this.#position
  }

  /** Partitions that were written to since this was last asked, and up to where. */
  takeChanges(): Map<string, Position> {
    const changes = this.#changes
    this.#changes = new Map()
    return changes
  }

  /** Whether a partition has not been told how far the relay has come. */
  get someAreBehind(): boolean {
    return [...this.#last.values()].some((position) => position < this.#position)
  }

  /**
   * The events, and a watermark for every other partition of their categories: who waits for a read model of one
   * category to pass an event need not wait longer because of its neighbours.
   */
  of({ events, position }: EventBatch): OutgoingMessage[] {
    const messages: OutgoingMessage[] = []
    const touched = new Set<Category>()
    for (const event of events) {
      const place = topicPartitionOf(event.stream)
      // Of a category that a newer program writes: its own relay begins where this one stands, and says so.
      if (!place) continue
      touched.add(place.category)
      messages.push({ ...place, previous: this.#advance(place, event.position), position: event.position, event })
    }
    this.#position = position > this.#position ? position : this.#position
    return [...messages, ...this.#watermarks([...touched].flatMap(topicPartitionsOf))]
  }

  /** For every partition that is behind. */
  watermarks(): OutgoingMessage[] {
    return this.#watermarks(PARTITIONS)
  }

  /** For every partition, behind or not: who has lost messages learns of it even when nothing happens any more. */
  signsOfLife(): OutgoingMessage[] {
    return PARTITIONS.map((place) => this.#watermark(place))
  }

  #watermarks(places: readonly TopicPartition[]): OutgoingMessage[] {
    return places
      .filter((place) => (this.#last.get(partitionName(place)) ?? BEGINNING) < this.#position)
      .map((place) => this.#watermark(place))
  }

  #watermark(place: TopicPartition): OutgoingMessage {
    return { ...place, previous: this.#advance(place, this.#position), position: this.#position, event: null }
  }

  #advance(place: TopicPartition, position: Position): Position {
    const name = partitionName(place)
    const previous = this.#last.get(name) ?? BEGINNING
    this.#last.set(name, position)
    this.#changes.set(name, position)
    return previous
  }
}
