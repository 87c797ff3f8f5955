import type { ServerResponse } from 'node:http'
import type { Clock } from '../../platform/clock/clock.ts'
import type { RateLimits, WindowState } from '../../platform/sharedState/port.ts'
import { setAnswerHeader } from './answerHeaders.ts'
import { GatewayError } from './gatewayError.ts'
import type { LiveKey } from './views/keys.ts'

/** `abandoned` is the limit of AbandonedStreams. */
export const LIMIT_NAMES = ['address', 'requests', 'tokens', 'abandoned'] as const
export type LimitName = (typeof LIMIT_NAMES)[number]

/** Constants, so that the engine does not have to build and intern the names for each call. */
const HEADERS = {
  requests: {
    limit: 'x-ratelimit-limit-requests',
    remaining: 'x-ratelimit-remaining-requests',
    reset: 'x-ratelimit-reset-requests',
  },
  tokens: {
    limit: 'x-ratelimit-limit-tokens',
    remaining: 'x-ratelimit-remaining-tokens',
    reset: 'x-ratelimit-reset-tokens',
  },
} as const

/** The window of a limit when a call was admitted, and the response whose headers show it. */
export type ShownWindow = { readonly response: ServerResponse; readonly limit: number; readonly window: WindowState }

const WINDOW_MS = 60_000

export type LimitStatus = { readonly limit: number; readonly remaining: number; readonly resetAtMs: number }

/** The three rate limits: requests per client address, requests per key and tokens per key. */
export class RateLimiter {
  readonly #limits: RateLimits
  readonly #clock: Clock
  readonly #ipRpm: number
  readonly #onHit: (limit: LimitName) => void

  constructor(limits: RateLimits, clock: Clock, ipRpm: number, onHit: (limit: LimitName) => void = () => {}) {
    this.#limits = limits
    this.#clock = clock
    this.#ipRpm = ipRpm
    this.#onHit = onHit
  }

  async admitAddress(address: string): Promise<void> {
    if (this.#ipRpm === 0) return
    const window = await this.#limits.add(`ip:${address}`, 1)
    if (window.used > this.#ipRpm)
      throw this.#refusal('address', 'Too many requests from this address', this.#ipRpm, window)
  }

  async admitRequest(key: LiveKey, response: ServerResponse): Promise<void> {
    const window = await this.#limits.add(`rpm:${key.keyId}`, 1)
    this.#setHeaders(response, 'requests', key.rpm, window)
    if (window.used > key.rpm) throw this.#refusal('requests', 'Too many requests with this key', key.rpm, window)
  }

  /** Refuses once the tokens used in this minute have reached the limit. */
  async admitTokens(key: LiveKey, response: ServerResponse): Promise<ShownWindow> {
    const window = await this.#limits.read(`tpm:${key.keyId}`)
    this.#setHeaders(response, 'tokens', key.tpm, window)
    if (window.used >= key.tpm) throw this.#refusal('tokens', 'Too many tokens with this key', key.tpm, window)
    return { response, limit: key.tpm, window }
  }

  /**
   * Returns a promise only if the limits are kept outside this process. Headers that have not been sent yet then show
   * the window of the admission with these tokens added, so that the answer need not wait.
   */
  countTokens(keyId: string, tokens: number, shown?: ShownWindow): undefined | Promise<unknown> {
    if (tokens <= 0) return undefined
    const counted = this.#limits.add(`tpm:${keyId}`, tokens)
    const isElsewhere = counted instanceof Promise
    if (shown && !shown.response.headersSent) {
      const window = isElsewhere ? this.#withTokens(shown.window, tokens) : counted
      this.#setHeaders(shown.response, 'tokens', shown.limit, window)
    }
    return isElsewhere ? counted : undefined
  }

  #withTokens({ used, resetAtMs }: WindowState, tokens: number): WindowState {
    const now = this.#clock.now()
    if (now < resetAtMs) return { used: used + tokens, resetAtMs }
    return { used: tokens, resetAtMs: now - (now % WINDOW_MS) + WINDOW_MS }
  }

  async status(key: LiveKey): Promise<{ rpm: LimitStatus; tpm: LimitStatus }> {
    const [requests, tokens] = await Promise.all([
      this.#limits.read(`rpm:${key.keyId}`),
      this.#limits.read(`tpm:${key.keyId}`),
    ])
    return { rpm: statusOf(key.rpm, requests), tpm: statusOf(key.tpm, tokens) }
  }

  /** The headers that clients of the chat-completion wire read, in the format they expect. */
  #setHeaders(response: ServerResponse, what: 'requests' | 'tokens', limit: number, window: WindowState): void {
    const names = HEADERS[what]
    setAnswerHeader(response, names.limit, String(limit))
    setAnswerHeader(response, names.remaining, String(statusOf(limit, window).remaining))
    setAnswerHeader(response, names.reset, `${this.#secondsTo(window)}s`)
  }

  #refusal(name: LimitName, what: string, limit: number, window: WindowState): GatewayError {
    this.#onHit(name)
    const retryAfterSeconds = this.#secondsTo(window)
    const message = `${what}: the limit is ${limit} a minute. Retry in ${retryAfterSeconds} s.`
    return new GatewayError('rateLimited', message, { retryAfterSeconds })
  }

  #secondsTo(window: WindowState): number {
    return Math.max(1, Math.ceil((window.resetAtMs - this.#clock.now()) / 1000))
  }
}

function statusOf(limit: number, window: WindowState): LimitStatus {
  return { limit, remaining: Math.max(0, limit - window.used), resetAtMs: window.resetAtMs }
}
