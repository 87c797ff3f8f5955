import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import type { Category } from '../../../contracts/streams.ts'
import type { Feed, FeedBatch, FeedSubscription } from '../../../projections/runner/ports.ts'

/** A feed with scripted batches. A position is the number of the batch in its partition. */
export class ScriptedFeed implements Feed {
  readonly #partitions: readonly string[]
  readonly idsAreUnique: boolean
  readonly #batches: FeedBatch[] = []

  constructor(partitions: readonly string[], idsAreUnique: boolean) {
    this.#partitions = partitions
    this.idsAreUnique = idsAreUnique
  }

  partitionsOf(): readonly string[] {
    return this.#partitions
  }

  partitionOf(): string {
    return this.#partitions[0] ?? ''
  }

  deliver(events: readonly RecordedEvent[], partition: string = this.#partitions[0] ?? ''): FeedBatch {
    const number = this.#batches.filter((batch) => batch.partition === partition).length + 1
    const batch = { partition, after: positionOf(number - 1), events, position: positionOf(number) }
    this.#batches.push(batch)
    return batch
  }

  async *subscribe<C extends Category>({ reached, signal }: FeedSubscription<C>): AsyncIterable<FeedBatch<EventOf<C>>> {
    const from = new Map<string, Position>()
    for (const partition of this.#partitions) from.set(partition, await reached(partition))
    for (const batch of this.#batches) {
      if (batch.position <= (from.get(batch.partition) ?? BEGINNING)) continue
      yield batch as FeedBatch<EventOf<C>>
      if (signal.aborted) return
    }
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
}

const positionOf = (number: number) => (number === 0 ? BEGINNING : (String(number).padStart(4, '0') as Position))
