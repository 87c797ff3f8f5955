import type { ServerResponse } from 'node:http'
import type { Clock } from '../../platform/clock/clock.ts'
import type { RateLimits, WindowState } from '../../platform/sharedState/port.ts'
import { setAnswerHeader } from './answerHeaders.ts'
import { GatewayError } from './gatewayError.ts'
import { type SharedLimits, sharedLimits, WITH } from './limits.ts'
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

export type RateLimiterOptions = {
  /** Requests a minute of a client address; 0: no limit. */
  readonly ipRpm: number
  readonly onHit?: (limit: LimitName) => void
  /** With the limits of projects and companies. */
  readonly views?: Parameters<typeof sharedLimits>[0]
}

/** The limits of a minute: requests per client address; requests and tokens per key, and per project and company if they have any. */
export class RateLimiter {
  readonly #limits: RateLimits
  readonly #clock: Clock
  readonly #ipRpm: number
  readonly #onHit: (limit: LimitName) => void
  readonly #views: RateLimiterOptions['views']

  constructor(limits: RateLimits, clock: Clock, options: RateLimiterOptions) {
    this.#limits = limits
    this.#clock = clock
    this.#ipRpm = options.ipRpm
    this.#onHit = options.onHit ?? (() => {})
    this.#views = options.views
  }

  #sharedBy(key: LiveKey): readonly SharedLimits[] {
    return this.#views === undefined ? [] : sharedLimits(this.#views, key)
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
    if (window.used > key.rpm) throw this.#refusal('requests', `Too many requests ${WITH.key}`, key.rpm, window)
    for (const { level, id, limits } of this.#sharedBy(key)) {
      if (limits.rpm === null) continue
      const shared = await this.#limits.add(`rpm:${id}`, 1)
      if (shared.used > limits.rpm) {
        throw this.#refusal('requests', `Too many requests ${WITH[level]}`, limits.rpm, shared)
      }
    }
  }

  /** Refuses once the tokens used in this minute have reached the limit. */
  async admitTokens(key: LiveKey, response: ServerResponse): Promise<ShownWindow> {
    const window = await this.#limits.read(`tpm:${key.keyId}`)
    this.#setHeaders(response, 'tokens', key.tpm, window)
    if (window.used >= key.tpm) throw this.#refusal('tokens', `Too many tokens ${WITH.key}`, key.tpm, window)
    for (const { level, id, limits } of this.#sharedBy(key)) {
      if (limits.tpm === null) continue
      const shared = await this.#limits.read(`tpm:${id}`)
      if (shared.used >= limits.tpm) {
        throw this.#refusal('tokens', `Too many tokens ${WITH[level]}`, limits.tpm, shared)
      }
    }
    return { response, limit: key.tpm, window }
  }

  /**
   * Returns a promise only if the limits are kept outside this process. Headers that have not been sent yet then show
   * the window of the admission with these tokens added, so that the answer need not wait.
   */
  countTokens(key: LiveKey, tokens: number, shown?: ShownWindow): undefined | Promise<unknown> {
    if (tokens <= 0) return undefined
    const counted = this.#limits.add(`tpm:${key.keyId}`, tokens)
    const shared = this.#sharedBy(key).filter(({ limits }) => limits.tpm !== null)
    const countedThere = shared.map(({ id }) => this.#limits.add(`tpm:${id}`, tokens))
    const isElsewhere = counted instanceof Promise
    if (shown && !shown.response.headersSent) {
      const window = isElsewhere ? this.#withTokens(shown.window, tokens) : counted
      this.#setHeaders(shown.response, 'tokens', shown.limit, window)
    }
    return isElsewhere ? Promise.all([counted, ...countedThere]) : undefined
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
