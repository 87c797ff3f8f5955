/** How many buckets of this minute a gateway keeps, to continue with while the shared counters are unavailable. */
export const RATE_BUCKETS_MAX = 100_000

/** The counts of one bucket in this minute, as known to this process. */
export class Tally {
  /** The count of all gateways when the server last answered. */
  seen = 0
  /** The count of this process. */
  #own = 0
  /** The part of it that the server lacks. */
  #unsent = 0

  count(points: number): void {
    this.#own += points
    this.#unsent += points
  }

  get unsent(): number {
    return this.#unsent
  }

  /** Takes the unsent points to send them. */
  take(): number {
    const points = this.#unsent
    this.#unsent = 0
    return points
  }

  /** The points did not arrive, as far as we know. */
  putBack(points: number): void {
    this.#unsent = Math.min(this.#unsent + points, this.#own)
  }

  /** The points arrived late; the late answer contains the count of all gateways, including them. */
  arrivedAfterAll(points: number, seen: number): void {
    this.#unsent = Math.max(this.#unsent - points, 0)
    this.seen = seen
  }

  /** The server has lost its data: every gateway sends its own count again. */
  forgotten(): void {
    this.seen = 0
    this.#unsent = this.#own
  }

  /**
   * Estimates the count of all gateways without the server: each of the others is assumed to have counted as much as
   * this one since the server last answered. So this gateway reaches the limit at its share of what was left.
   */
  estimate(gateways: number): number {
    return this.seen + gateways * this.#unsent
  }

  /**
   * The estimate right after these points were counted. The first request of a gateway counts once: otherwise a limit
   * below the number of gateways would refuse every request.
   */
  estimateWith(points: number, gateways: number): number {
    return this.#unsent === points ? this.seen + points : this.estimate(gateways)
  }
}

/** The buckets of the current minute. The first access in a new minute drops the old ones. */
export class MinuteTally {
  readonly #buckets = new Map<string, Tally>()
  #minute = Number.NaN

  of(bucket: string, minute: number): Tally {
    if (minute !== this.#minute) {
      this.#buckets.clear()
      this.#minute = minute
    }
    const known = this.#buckets.get(bucket)
    if (known) return known
    // This only makes one bucket inaccurate during an outage.
    if (this.#buckets.size >= RATE_BUCKETS_MAX) this.#buckets.delete(this.#buckets.keys().next().value ?? '')
    const tally = new Tally()
    this.#buckets.set(bucket, tally)
    return tally
  }

  forgotten(): void {
    for (const tally of this.#buckets.values()) tally.forgotten()
  }

  /** Buckets of this minute with unsent points. */
  unsent(minute: number): string[] {
    if (minute !== this.#minute) return []
    return [...this.#buckets].filter(([, tally]) => tally.unsent > 0).map(([bucket]) => bucket)
  }
}
