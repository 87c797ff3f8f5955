import type { TopicMessage, TopicPartition } from '../../contracts/topics.ts'
import type { Clock } from '../clock/clock.ts'
import { settlesWithin } from '../clock/within.ts'
import type { PartitionSupply } from './partitionSupply.ts'

type Messages = Iterable<TopicMessage>

/** How long a stalled subscriber may hold up the others of its process. */
export const CONSUMER_STANDSTILL_MS = 5_000

/** The supply of a subscriber. While `isBehind`, it is still working on earlier messages than the others. */
type Served = { readonly supply: PartitionSupply; isBehind: boolean }

/** A partition, from its assignment to this group member until the next rebalance. */
export class AssignedPartition {
  readonly place: TopicPartition
  readonly #clock: Clock
  readonly #served = new Map<object, Served>()
  /** The newest message, which tells a later subscriber what it lacks. */
  #newest: Messages = []
  #takenOffset: string | null = null
  #hintedOffset: string | null = null
  #isRevoked = false

  constructor(place: TopicPartition, clock: Clock) {
    this.place = place
    this.#clock = clock
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
   * Resolves when all subscribers have taken the messages, or the partition is revoked. A stalled subscriber does not
   * hold up the others for ever: it is skipped, and reads what it missed from the store.
   */
  async take(messages: Messages, newest: Messages, lastOffset: string): Promise<void> {
    this.#newest = newest
    const upToDate = [...this.#served.values()].filter(({ isBehind }) => !isBehind)
    const pending = new Map(upToDate.map((served) => [served, served.supply.take(messages)]))
    const taken = [...pending].map(([served, promise]) => promise.then(() => pending.delete(served)))
    const isInTime = await settlesWithin(Promise.all(taken), CONSUMER_STANDSTILL_MS, this.#clock)
    if (!isInTime) await Promise.race(taken)
    for (const [served, promise] of pending) this.#leaveBehind(served, promise)
    if (!this.#isRevoked) this.#takenOffset = lastOffset
  }

  /** The offset at which to start next time; null if it has not changed since the last call. */
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
