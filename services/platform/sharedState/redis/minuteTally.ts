/** Buckets whose count in this minute a gateway remembers, to go on with when the shared counters are away. */
export const RATE_BUCKETS_MAX = 100_000

/** What this process knows of one bucket in this minute. */
export class Tally {
  /** What all gateways had counted when the server last answered. */
  seen = 0
  /** What this process has counted. */
  #own = 0
  /** The part of it that the server does not have. */
  #unsent = 0

  count(points: number): void {
    this.#own += points
    this.#unsent += points
  }

  get unsent(): number {
    return this.#unsent
  }

  /** For sending: these points are on their way. */
  take(): number {
    const points = this.#unsent
    this.#unsent = 0
    return points
  }

  /** They did not arrive, as far as we know. */
  putBack(points: number): void {
    this.#unsent = Math.min(this.#unsent + points, this.#own)
  }

  /** They did arrive, although late. */
  arrivedAfterAll(points: number): void {
    this.#unsent = Math.max(this.#unsent - points, 0)
  }

  /** The server has lost what it had: all is to be sent again, and every gateway does so with its own. */
  forgotten(): void {
    this.seen = 0
    this.#unsent = this.#own
  }

  /**
   * What all gateways together have used, judged by this one alone: each of the others is taken to have done as much as
   * it since the server was last heard, so that the limit is reached at this gateway's part of what was left of it.
   */
  estimate(gateways: number): number {
    return this.seen + gateways * this.#unsent
  }

  /**
   * The same right after these points were counted. A gateway's first request counts only once: otherwise a limit that
   * is smaller than the number of gateways would refuse all.
   */
  estimateWith(points: number, gateways: number): number {
    return this.#unsent === points ? this.seen + points : this.estimate(gateways)
  }
}

/** The buckets of the minute that runs; those of earlier ones are forgotten with the first question in a new one. */
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
    // It costs the accuracy of one bucket during an outage, no more.
    if (this.#buckets.size >= RATE_BUCKETS_MAX) this.#buckets.delete(this.#buckets.keys().next().value ?? '')
    const tally = new Tally()
    this.#buckets.set(bucket, tally)
    return tally
  }

  forgotten(): void {
    for (const tally of this.#buckets.values()) tally.forgotten()
  }

  /** Buckets of this minute of which the server lacks something. */
  unsent(minute: number): string[] {
    if (minute !== this.#minute) return []
    return [...this.#buckets].filter(([, tally]) => tally.unsent > 0).map(([bucket]) => bucket)
  }
}
