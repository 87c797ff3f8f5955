import type { TopicMessage, TopicPartition } from '../../../contracts/topics.ts'
import { NOT_NEEDED } from '../clock/clock.ts'
import type { PartitionSupply } from './partitionSupply.ts'

type Messages = Iterable<TopicMessage>

/** Who is given the messages of a partition, and whether it is still busy with earlier ones than the others. */
type Served = { readonly supply: PartitionSupply; isBehind: boolean }

/** A partition from the moment it is given to this member of the group until the group is divided anew. */
export class AssignedPartition {
  readonly place: TopicPartition
  /** Waits for as long as a subscriber may hold up the others. */
  readonly #standstill: (signal: AbortSignal) => Promise<void>
  readonly #served = new Map<object, Served>()
  /** The newest message, which tells whoever comes later what it lacks. */
  #newest: Messages = []
  #takenOffset: string | null = null
  #hintedOffset: string | null = null
  #isRevoked = false

  constructor(place: TopicPartition, standstill: (signal: AbortSignal) => Promise<void>) {
    this.place = place
    this.#standstill = standstill
  }

  get isRevoked(): boolean {
    return this.#isRevoked
  }

  revoke(): void {
    this.#isRevoked = true
    for (const subscriber of [...this.#served.keys()]) this.dismiss(subscriber)
  }

  serve(subscriber: object, supply: PartitionSupply): void {
    this.#served.set(subscriber, { supply, isBehind: false })
    void supply.take(this.#newest)
  }

  dismiss(subscriber: object): void {
    this.#served.get(subscriber)?.supply.end()
    this.#served.delete(subscriber)
  }

  /**
   * Resolves when all subscribers have taken the messages, or the partition is revoked. One that stands still does not
   * hold up the others for ever: it is left out, and has the store for what it has missed.
   */
  async take(messages: Messages, newest: Messages, lastOffset: string): Promise<void> {
    this.#newest = newest
    const asked = [...this.#served.values()].filter(({ isBehind }) => !isBehind)
    const pending = new Map(asked.map((served) => [served, served.supply.take(messages)]))
    const taken = [...pending].map(([served, promise]) => promise.then(() => pending.delete(served)))
    const patience = new AbortController()
    const firstTaken = Promise.all([Promise.race(taken), this.#standstill(patience.signal)])
    await Promise.race([Promise.all(taken), firstTaken])
    patience.abort(NOT_NEEDED)
    for (const [served, promise] of pending) this.#leaveBehind(served, promise)
    if (!this.#isRevoked) this.#takenOffset = lastOffset
  }

  /** The offset to look at first next time; null when it has not changed since this was last asked. */
  nextHint(): string | null {
    if (this.#takenOffset === this.#hintedOffset || this.#takenOffset === null) return null
    this.#hintedOffset = this.#takenOffset
    return String(BigInt(this.#takenOffset) + 1n)
  }

  #leaveBehind(served: Served, taken: Promise<void>): void {
    served.isBehind = true
    void taken.then(() => {
      served.isBehind = false
      void served.supply.take(this.#newest)
    })
  }
}
