import type { Position } from '../../../contracts/position.ts'
import { PRICE_NOTICE_MS } from '../../../contracts/priceLead.ts'
import type { Clock, Timer } from '../../../platform/clock/clock.ts'
import { within } from '../../../platform/clock/within.ts'
import { GatewayError } from '../gatewayError.ts'
import type { SharedHead } from './sharedHead.ts'
import { untilView } from './untilView.ts'

/** An event is visible a moment after the time at which it is recorded, and clocks differ a little. */
const VISIBLE_WITHIN_MS = 500
/** No call is admitted by prices that may be older than this. */
export const PRICES_AGE_MS_MAX = PRICE_NOTICE_MS - VISIBLE_WITHIN_MS
/** How often the view of prices is compared with the head of the store. */
const CHECK_MS = 1_000
/** How long a call waits for that comparison, if the last one is too old. */
export const PRICES_WAIT_MS = 3_000
const RETRY_SECONDS = 1

export type PriceCurrencyParts = {
  readonly head: Pick<SharedHead, 'read'>
  /** The position that the view of prices has passed. */
  readonly reached: () => Position
  readonly clock: Clock
}

/**
 * Knows how old the view of prices may be, also while no events come: a view that has passed the head of the store was
 * current when that head was asked for. A change of a price takes effect at least PRICE_NOTICE_MS after it was stored, so a
 * younger view has it in time; with an older one no call is admitted.
 */
export class PriceCurrency {
  readonly #parts: PriceCurrencyParts
  readonly #stopping = new AbortController()
  readonly #timer: Timer
  /** When the view was last known to be current, in monotonic milliseconds. */
  #currentAtMs: number
  #checking: Promise<void> | null = null

  /** The view has just reached the head of the store. */
  constructor(parts: PriceCurrencyParts) {
    this.#parts = parts
    this.#currentAtMs = parts.clock.monotonicMs()
    this.#timer = parts.clock.every(CHECK_MS, () => void this.#check())
  }

  stop(): void {
    this.#stopping.abort()
    this.#timer.cancel()
  }

  /** Returns a promise only if the view may be too old. It rejects with a GatewayError if the view stays outdated. */
  require(): Promise<void> | undefined {
    return this.#isCurrent() ? undefined : this.#requireSoon()
  }

  #isCurrent(): boolean {
    return this.#parts.clock.monotonicMs() - this.#currentAtMs < PRICES_AGE_MS_MAX
  }

  /** A process that was suspended is current again after one comparison. The one under way may have begun before. */
  async #requireSoon(): Promise<void> {
    await this.#checking
    if (!this.#isCurrent()) await this.#check()
    if (this.#isCurrent()) return
    const message = 'The prices of this gateway may be outdated, so no billed call is accepted. Retry with backoff.'
    throw new GatewayError('unavailable', message, { retryAfterSeconds: RETRY_SECONDS })
  }

  /** One at a time, and never longer than PRICES_WAIT_MS. A failure leaves the view as old as it was. */
  #check(): Promise<void> {
    this.#checking ??= this.#compare()
      .catch(() => {})
      .finally(() => {
        this.#checking = null
      })
    return this.#checking
  }

  async #compare(): Promise<void> {
    const { head, reached, clock } = this.#parts
    const askedAtMs = clock.monotonicMs()
    const { signal } = this.#stopping
    const stored = await within(head.read(), PRICES_WAIT_MS, clock, signal)
    const hasPassed = () => reached() >= stored
    if (await untilView(hasPassed, askedAtMs + PRICES_WAIT_MS, clock, signal)) this.#currentAtMs = askedAtMs
  }
}
