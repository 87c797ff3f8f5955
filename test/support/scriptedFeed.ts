import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { Feed, FeedBatch, FeedSubscription } from '../../projections/runner/ports.ts'

/** A feed whose every batch is written by the test. A position is the number of the batch in its partition. */
export class ScriptedFeed implements Feed {
  readonly partitions: readonly string[]
  readonly idsAreUnique: boolean
  readonly #batches: FeedBatch[] = []

  constructor(partitions: readonly string[], idsAreUnique: boolean) {
    this.partitions = partitions
    this.idsAreUnique = idsAreUnique
  }

  deliver(events: readonly RecordedEvent[], partition: string = this.partitions[0] ?? ''): FeedBatch {
    const number = this.#batches.filter((batch) => batch.partition === partition).length + 1
    const batch = { partition, events, position: String(number).padStart(4, '0') as Position }
    this.#batches.push(batch)
    return batch
  }

  async *subscribe({ from, signal }: FeedSubscription): AsyncIterable<FeedBatch> {
    for (const batch of this.#batches) {
      if (batch.position <= (from[batch.partition] ?? BEGINNING)) continue
      yield batch
      if (signal.aborted) return
    }
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
}
