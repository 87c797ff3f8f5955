import { BEGINNING, type Checkpoint, type Position } from '../../contracts/position.ts'
import { CATEGORIES, type Category } from '../../contracts/streams.ts'
import {
  type OutgoingMessage,
  partitionName,
  type TopicPartition,
  topicPartitionOf,
  topicPartitionsOf,
} from '../../contracts/topics.ts'
import type { EventBatch } from '../../platform/eventStore/port.ts'

const PARTITIONS = CATEGORIES.flatMap(topicPartitionsOf)

/**
 * Turns batches of the store into messages, in order. It keeps the last position of every partition, so that each
 * message names its predecessor: the partition has no event between the two.
 */
export class OutgoingMessages {
  #position: Position
  readonly #last: Map<string, Position>
  #changes = new Map<string, Position>()

  /** A partition without messages starts at the position of the relay. */
  constructor(position: Position, last: Checkpoint) {
    this.#position = position
    this.#last = new Map(PARTITIONS.map(partitionName).map((name) => [name, last[name] ?? position]))
  }

  get position(): Position {
    return this.#position
  }

  /** The partitions with new messages since the last call, with their last positions. */
  takeChanges(): Map<string, Position> {
    const changes = this.#changes
    this.#changes = new Map()
    return changes
  }

  /** Whether the last message of some partition is behind the position of the relay. */
  get someAreBehind(): boolean {
    return [...this.#last.values()].some((position) => position < this.#position)
  }

  /**
   * The events, and a watermark for every other partition of their categories, so that a reader that waits for a read
   * model of one category to pass an event does not wait for the other partitions.
   */
  of({ events, position }: EventBatch): OutgoingMessage[] {
    const messages: OutgoingMessage[] = []
    const touched = new Set<Category>()
    for (const event of events) {
      const place = topicPartitionOf(event.stream)
      // An unknown category, written by a newer version: its own relay starts at the position of this one.
      if (!place) continue
      touched.add(place.category)
      messages.push({ ...place, previous: this.#advance(place, event.position), position: event.position, event })
    }
    this.#position = position > this.#position ? position : this.#position
    return [...messages, ...this.#watermarks([...touched].flatMap(topicPartitionsOf))]
  }

  /** A watermark for every partition that is behind. */
  watermarks(): OutgoingMessage[] {
    return this.#watermarks(PARTITIONS)
  }

  /** A watermark for every partition, so that a consumer detects lost messages even when there are no new events. */
  heartbeats(): OutgoingMessage[] {
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
