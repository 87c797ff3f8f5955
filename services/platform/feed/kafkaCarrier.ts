import type { FeedBatch } from '../../../projections/runner/ports.ts'
import { type KafkaGroup, KafkaMember, type KafkaMemberOptions } from './kafkaMember.ts'
import type { Subscriber } from './subscriber.ts'

/** This process's place in a consumer group, through one membership after another. */
export class KafkaCarrier {
  readonly #options: KafkaMemberOptions
  readonly #group: KafkaGroup
  readonly #feedId: () => Promise<string>
  #member: Promise<KafkaMember> | null = null
  /** In a row, without anything that came in between. */
  #failures = 0
  #lastFailure: unknown = null

  constructor(options: KafkaMemberOptions, group: KafkaGroup, feedId: () => Promise<string>) {
    this.#options = options
    this.#group = group
    this.#feedId = feedId
  }

  /** Ends with the subscription, or when the membership is lost: whoever is carried next begins another. */
  async *carry(subscriber: Subscriber): AsyncGenerator<FeedBatch> {
    try {
      // Who reads for itself has the store's events also when Kafka is away, only later.
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

  /** Told once for each time that Kafka is away; what the next attempt gets over, as when a broker starts, is no news. */
  #failed(error: unknown): void {
    // All that were carried by one membership lose it in the same way.
    if (error === this.#lastFailure) return
    this.#lastFailure = error
    this.#failures++
    const message = 'a consumer of the feed has lost Kafka, or finds no topics yet, and tries again'
    const { log } = this.#options
    log[this.#failures === 2 ? 'warn' : 'debug']({ err: error, consumer: this.#group.name }, message)
  }
}
