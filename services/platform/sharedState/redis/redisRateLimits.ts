import type { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Clock } from '../../clock/clock.ts'
import { inTime } from '../inTime.ts'
import type { RateLimits, WindowState } from '../port.ts'
import { KEY_PREFIX } from './connection.ts'
import { MinuteTally, type Tally } from './minuteTally.ts'
import type { Presence } from './presence.ts'

const WINDOW_MS = 60_000
/** Buckets that are brought to the server in one journey, when it is back. */
const BRING_MAX = 500

/**
 * One count for all gateways. The minute is part of a counter's name, as with the counters in memory: its expiry only
 * clears away.
 *
 * While the server is away a gateway goes on from what it last heard and takes the others to do as much as itself, which
 * leaves it the limit divided by the gateways last seen. When the server is back, each brings what it has counted
 * meanwhile, so that the minute ends with the true sum.
 */
export class RedisRateLimits implements RateLimits {
  readonly #client: Redis
  readonly #presence: Presence
  readonly #clock: Clock
  readonly #counters: RateLimiterRedis
  readonly #tallies = new MinuteTally()

  constructor(client: Redis, presence: Presence, clock: Clock) {
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
    const used = this.#presence.isThere ? await this.#send(bucket, minute, tally) : null
    return windowOf(minute, used ?? tally.estimateWith(points, this.#presence.gateways))
  }

  async read(bucket: string): Promise<WindowState> {
    const minute = this.#minute()
    const tally = this.#tallies.of(bucket, minute)
    const ask = () => (tally.unsent > 0 ? this.#send(bucket, minute, tally) : this.#fetch(bucket, minute, tally))
    const used = this.#presence.isThere ? await ask() : null
    return windowOf(minute, used ?? tally.estimate(this.#presence.gateways))
  }

  /** The server is back: it learns what it has missed, also of buckets that nobody asks for again. */
  async bringUnsent(isForgotten: boolean): Promise<void> {
    if (isForgotten) this.#tallies.forgotten()
    const minute = this.#minute()
    const buckets = this.#tallies.unsent(minute)
    for (let first = 0; first < buckets.length; first += BRING_MAX) {
      const journey = buckets.slice(first, first + BRING_MAX)
      await Promise.all(journey.map((bucket) => this.#send(bucket, minute, this.#tallies.of(bucket, minute))))
      if (!this.#presence.isThere || this.#minute() !== minute) return
    }
  }

  /** Sends what the server lacks of this bucket. Answers what all have used, or null when it does not answer. */
  async #send(bucket: string, minute: number, tally: Tally): Promise<number | null> {
    const points = tally.take()
    const sent = this.#counters.penalty(nameOf(bucket, minute), points)
    try {
      const { consumedPoints } = await inTime(sent)
      tally.seen = consumedPoints
      return consumedPoints
    } catch (error) {
      tally.putBack(points)
      sent.then(
        () => tally.arrivedAfterAll(points),
        () => {},
      )
      this.#presence.lost(error)
      return null
    }
  }

  /** Not by the library, whose reading is a transaction that cannot share a journey with other calls. */
  async #fetch(bucket: string, minute: number, tally: Tally): Promise<number | null> {
    try {
      const used = Number(await inTime(this.#client.get(this.#counters.getKey(nameOf(bucket, minute)))))
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
