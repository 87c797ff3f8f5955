import type { Recorded } from '../../../contracts/envelope.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import type { PaymentEventChange } from '../../../contracts/events/paymentEvent.ts'
import type { Position } from '../../../contracts/position.ts'
import { categoryOf } from '../../../contracts/streams.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import { IDLE_CHECKPOINT_MS } from '../../../projections/runner/batchLimits.ts'
import { keepPlace, placeOf } from '../../../projections/runner/checkpoints.ts'
import type { Database, Feed, FeedBatch } from '../../../projections/runner/ports.ts'

/** The number of payment events that a reactor processes concurrently. */
export const PAYMENT_EVENTS_UNDER_WAY_MAX = 32

const CONSUMER = 'reactor-webhooks'
const RETRY_DELAY_MS = 1_000

/** Corrections of what was paid for are decided on purchases and invoices, and are booked from there. */
const CATEGORIES = ['webhook', 'purchase', 'invoice'] as const
export type FollowedEvent = Recorded<EventOf<(typeof CATEGORIES)[number]>>

export function isPaymentEventChange(event: FollowedEvent): event is Extract<FollowedEvent, PaymentEventChange> {
  return categoryOf(event.stream) === 'webhook'
}

export type Following = {
  readonly database: Database
  readonly feed: Feed
  readonly clock: Clock
  readonly log: Log
  process(event: FollowedEvent, signal: AbortSignal): Promise<void>
}

/**
 * Passes every event of these categories to `process` at least once: the stored position passes only processed events. Many are
 * processed concurrently, because their order does not matter.
 */
export async function followPaymentEvents(following: Following, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await follow(following, signal)
    } catch (error) {
      if (signal.aborted) return
      following.log.warn({ err: error }, 'feed of webhook events failed, subscribing again')
    }
    await following.clock.delay(RETRY_DELAY_MS, signal)
  }
}

async function follow(following: Following, stopping: AbortSignal): Promise<void> {
  const { database, feed } = following
  const ending = new AbortController()
  const signal = AbortSignal.any([stopping, ending.signal])
  const places = new Map<string, Place>()
  const slots = new Slots(PAYMENT_EVENTS_UNDER_WAY_MAX)
  const reached = (partition: string): Promise<Position> => placeOf(database, CONSUMER, partition)
  try {
    for await (const batch of feed.subscribe({
      consumer: CONSUMER,
      shared: true,
      categories: CATEGORIES,
      reached,
      signal,
    })) {
      const work: Promise<void>[] = []
      for (const event of batch.events) {
        await slots.take()
        work.push(following.process(event, signal).finally(() => slots.give()))
      }
      const place = places.get(batch.partition) ?? new Place(following)
      places.set(batch.partition, place)
      place.follows(batch, Promise.all(work))
    }
  } finally {
    ending.abort()
    await Promise.all([...places.values()].map((place) => place.settled))
  }
}

/** The position up to which a partition is processed, stored after everything before it is done. */
class Place {
  readonly #following: Following
  #writtenAt = 0
  settled: Promise<void> = Promise.resolve()

  constructor(following: Following) {
    this.#following = following
  }

  follows({ partition, position, events }: FeedBatch, done: Promise<unknown>): void {
    // A rejection is handled in its turn, which may be later than it happens.
    done.catch(() => {})
    this.settled = this.settled
      .then(() => done)
      .then(() => this.#keep(partition, position, events.length > 0))
      .catch((error: unknown) => {
        // Later events must not move the position until the feed is read again from here.
        this.#keep = () => Promise.resolve()
        this.#following.log.debug({ err: error }, 'unprocessed webhook events left for the next start')
      })
  }

  /** Skips events of other categories from time to time. */
  #keep = async (partition: string, position: Position, hasEvents: boolean): Promise<void> => {
    const { database, clock, log } = this.#following
    if (!hasEvents && clock.now() - this.#writtenAt < IDLE_CHECKPOINT_MS) return
    this.#writtenAt = clock.now()
    await keepPlace(database, CONSUMER, partition, position).catch((error: unknown) =>
      // The next write includes this position.
      log.warn({ err: error }, 'position among webhook events could not be stored'),
    )
  }
}

/** Limits concurrency: the next one waits. */
class Slots {
  #free: number
  #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  give(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
