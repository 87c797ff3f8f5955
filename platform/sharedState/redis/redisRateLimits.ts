import type { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Clock } from '../../clock/clock.ts'
import { within } from '../../clock/within.ts'
import type { RateLimits, WindowState } from '../port.ts'
import { KEY_PREFIX, SHARED_STATE_ANSWER_MS } from './connection.ts'
import { MinuteTally, type Tally } from './minuteTally.ts'
import type { Presence } from './presence.ts'

const WINDOW_MS = 60_000
/** Buckets that are sent to the server in one pipeline after an outage. */
const BUCKETS_PER_PIPELINE_MAX = 500

/** What the counters need to know about the server. */
export type ServerPresence = Pick<Presence, 'isAvailable' | 'gateways' | 'lost'>

/**
 * Counters that all gateways share. The minute is part of the name of a counter, so its expiry only frees memory.
 *
 * While the server is unavailable a gateway continues from the last known count and assumes that the other gateways
 * count as much as it does, which leaves it the limit divided by the number of gateways last seen. When the server is
 * back, each gateway sends what it has counted, so that the minute ends with the true sum.
 *
 * So a minute exceeds a limit by at most one such share for each gateway that lost the server in that minute, while
 * others had it or after they had used up the limit.
 */
export class RedisRateLimits implements RateLimits {
  readonly #client: Redis
  readonly #presence: ServerPresence
  readonly #clock: Clock
  readonly #counters: RateLimiterRedis
  readonly #tallies = new MinuteTally()

  constructor(client: Redis, presence: ServerPresence, clock: Clock) {
    this.#client = client
    this.#presence = presence
    this.#clock = clock
    this.#counters = new RateLimiterRedis({
      storeClient: client,
      keyPrefix: `${KEY_PREFIX}:limit`,
      points: Number.MAX_SAFE_INTEGER,
      duration: (2 * WINDOW_MS) / 1000,
    })
  }

  async add(bucket: string, points: number): Promise<WindowState> {
    const minute = this.#minute()
    const tally = this.#tallies.of(bucket, minute)
    tally.count(points)
    const used = this.#presence.isAvailable ? await this.#send(bucket, minute, tally) : null
    return windowOf(minute, used ?? tally.estimateWith(points, this.#presence.gateways))
  }

  async read(bucket: string): Promise<WindowState> {
    const minute = this.#minute()
    const tally = this.#tallies.of(bucket, minute)
    const ask = () => (tally.unsent > 0 ? this.#send(bucket, minute, tally) : this.#fetch(bucket, minute, tally))
    const used = this.#presence.isAvailable ? await ask() : null
    return windowOf(minute, used ?? tally.estimate(this.#presence.gateways))
  }

  /** Called when the server is back. Sends what it missed, including buckets without further requests. */
  async sendMissed(isForgotten: boolean): Promise<void> {
    if (isForgotten) this.#tallies.forgotten()
    const minute = this.#minute()
    const buckets = this.#tallies.unsent(minute)
    for (let first = 0; first < buckets.length; first += BUCKETS_PER_PIPELINE_MAX) {
      const page = buckets.slice(first, first + BUCKETS_PER_PIPELINE_MAX)
      await Promise.all(page.map((bucket) => this.#send(bucket, minute, this.#tallies.of(bucket, minute))))
      if (!this.#presence.isAvailable || this.#minute() !== minute) return
    }
  }

  /** Sends what the server lacks of this bucket. Returns the use by all gateways; null if it does not answer. */
  async #send(bucket: string, minute: number, tally: Tally): Promise<number | null> {
    const points = tally.take()
    const sent = this.#counters.penalty(nameOf(bucket, minute), points)
    try {
      const { consumedPoints } = await within(sent, SHARED_STATE_ANSWER_MS, this.#clock)
      tally.seen = consumedPoints
      return consumedPoints
    } catch (error) {
      tally.putBack(points)
      sent.then(
        ({ consumedPoints }) => tally.arrivedAfterAll(points, consumedPoints),
        () => {},
      )
      this.#presence.lost(error)
      return null
    }
  }

  /** Bypasses the library, which reads in a transaction that cannot be pipelined with other commands. */
  async #fetch(bucket: string, minute: number, tally: Tally): Promise<number | null> {
    try {
      const answer = this.#client.get(this.#counters.getKey(nameOf(bucket, minute)))
      const used = Number(await within(answer, SHARED_STATE_ANSWER_MS, this.#clock))
      tally.seen = used
      return used
    } catch (error) {
      this.#presence.lost(error)
      return null
    }
  }

  #minute(): number {
    return Math.floor(this.#clock.now() / WINDOW_MS)
  }
}

function nameOf(bucket: string, minute: number): string {
  return `${bucket}@${minute}`
}

function windowOf(minute: number, used: number): WindowState {
  return { used, resetAtMs: (minute + 1) * WINDOW_MS }
}
