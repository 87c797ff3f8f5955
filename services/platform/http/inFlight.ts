import { HttpError } from './httpError.ts'

const RETRY_AFTER_SECONDS = 1

/** How many requests are being served, and no more of them than the limit. */
export class InFlight {
  readonly #max: number
  #count = 0

  constructor(max: number) {
    this.#max = max
  }

  get count(): number {
    return this.#count
  }

  /** Throws a 503 at the limit. Each request that entered leaves once. */
  enter(): void {
    if (this.#count >= this.#max) {
      throw new HttpError(503, 'Too many requests are in flight. Retry in a moment.', {
        'retry-after': String(RETRY_AFTER_SECONDS),
      })
    }
    this.#count++
  }

  leave(): void {
    this.#count--
  }
}
