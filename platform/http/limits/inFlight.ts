import { HttpError } from '../answer/httpError.ts'
import { FairShare } from './fairShare.ts'

const RETRY_AFTER_SECONDS = 1

/** The admitted requests in progress: at most the limit, and at most its share for each holder. */
export class InFlight {
  readonly #places: FairShare

  constructor(max: number) {
    this.#places = new FairShare(max)
  }

  get count(): number {
    return this.#places.used
  }

  /** Throws a 429 or 503 at a limit. Call leave once for each request that entered. */
  enter(holder: string | null): void {
    const taken = this.#places.take(holder, 1)
    if (taken === 'share used up') throw retryLater(429, 'Too many requests of this company are in flight.')
    if (taken === 'full') throw retryLater(503, 'Too many requests are in flight.')
  }

  leave(holder: string | null): void {
    this.#places.give(holder, 1)
  }
}

/** 429: this caller has too many requests in progress; 503: all callers together have. */
export function retryLater(status: 429 | 503, message: string): HttpError {
  return new HttpError(status, `${message} Retry in a moment.`, { 'retry-after': String(RETRY_AFTER_SECONDS) })
}
