import type { FeedBatch } from '../../projections/runner/ports.ts'
import { type KafkaGroup, KafkaMember, type KafkaMemberOptions } from './kafkaMember.ts'
import type { Subscriber } from './subscriber.ts'

/**
 * Carries batches to the subscribers of one consumer group in this process. Memberships in the group come and go; the
 * carrier starts the next one when the last is lost.
 */
export class KafkaCarrier {
  readonly #options: KafkaMemberOptions
  readonly #group: KafkaGroup
  readonly #feedId: () => Promise<string>
  #member: Promise<KafkaMember> | null = null
  /** Consecutive failures without a batch in between. */
  #failures = 0
  #lastFailure: unknown = null

  constructor(options: KafkaMemberOptions, group: KafkaGroup, feedId: () => Promise<string>) {
    this.#options = options
    this.#group = group
    this.#feedId = feedId
  }

  /** Ends with the subscription, or when the membership is lost; the next call starts another membership. */
  async *carry(subscriber: Subscriber): AsyncGenerator<FeedBatch> {
    try {
      // Outside a shared group, the events of the store are available even while Kafka is not.
      if (!this.#group.shared) yield* subscriber.straightFromStore()
      yield* this.#throughKafka(subscriber)
    } catch (error) {
      this.#failed(error)
    }
  }

  async *#throughKafka(subscriber: Subscriber): AsyncGenerator<FeedBatch> {
    let member = await this.#membership()
    while (member.isOver) member = await this.#membership()
    member.serve(subscriber)
    try {
      for await (const batch of subscriber.batches()) {
        this.#failures = 0
        yield batch
      }
    } finally {
      await member.dismiss(subscriber)
    }
  }

  #membership(): Promise<KafkaMember> {
    this.#member ??= this.#join().catch((error: unknown) => {
      this.#member = null
      throw error
    })
    return this.#member
  }

  async #join(): Promise<KafkaMember> {
    const over = () => {
      this.#member = null
    }
    const member = new KafkaMember(this.#options, this.#group, await this.#feedId(), over)
    member.start()
    return member
  }

  /** Warns once per outage. A first failure is not worth a warning, because the next attempt may succeed. */
  #failed(error: unknown): void {
    // All subscribers of one membership report the same error.
    if (error === this.#lastFailure) return
    this.#lastFailure = error
    this.#failures++
    const message = 'feed consumer cannot read from Kafka, retrying'
    const { log } = this.#options
    log[this.#failures === 2 ? 'warn' : 'debug']({ err: error, consumer: this.#group.name }, message)
  }
}
