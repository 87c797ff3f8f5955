import { TOKENS_PER_CALL_MAX } from '../../../domain/ledger/decider.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import { dayOf } from '../../../projections/dailyTokens/projection.ts'
import { GatewayError } from '../gatewayError.ts'
import type { DailyTokensView } from '../views/dailyTokens.ts'
import type { InferenceRequest } from '../wire/requests/inferenceRequest.ts'

/** Typical for English text and code. Used only for calls that never reported their usage. */
export const CHARS_PER_TOKEN = 4
/** Typical for a slow model. Used only for non-streamed answers, of which nothing was delivered. */
export const TOKENS_PER_SECOND = 20
/** The limit for other calls is this many times that of streams, so that a company can go on without streams. */
const PLAIN_CALLS_FACTOR = 2
const DAY_MS = 86_400_000

/** Estimates the tokens of a call whose caller left, or that failed after part of it was delivered. */
export function abandonedTokens({ bodyBytes }: Pick<InferenceRequest, 'bodyBytes'>, tokensOut: number): number {
  return Math.min(TOKENS_PER_CALL_MAX, Math.ceil(bodyBytes / CHARS_PER_TOKEN + tokensOut))
}

/** Estimates how much the model has written in this time. */
export function writtenTokens(ms: number, tokensOutMax: number): number {
  return Math.min(tokensOutMax, (Math.max(0, ms) / 1_000) * TOKENS_PER_SECOND)
}

type Excess = {
  readonly companyId: string
  readonly tokensAbandoned: number
  readonly tokensCharged: number
  readonly limit: number
}

export type AbandonedStreamsOptions = {
  readonly tokens: Pick<DailyTokensView, 'tokensOf'>
  /** As a share of the tokens that the company was charged for on that day. */
  readonly shareMax: number
  /** The limit for a company that was charged for few tokens. */
  readonly tokensMin: number
  readonly log: Log
  readonly onHit: () => void
}

/**
 * Limits what callers can get for free by disconnecting before the usage is known: a company whose abandoned tokens on a UTC
 * day exceed a share of its charged tokens gets no more streams on that day. If it goes on to abandon other calls, those are
 * refused as well.
 */
export class AbandonedStreams {
  readonly #options: AbandonedStreamsOptions
  readonly #reported = new Set<string>()
  #reportedDay = ''

  constructor(options: AbandonedStreamsOptions) {
    this.#options = options
  }

  /** Throws if the company has exceeded its limit for this kind of call today. */
  admit(companyId: string, admittedAt: string, streamed: boolean): void {
    const { tokens, shareMax, tokensMin, onHit } = this.#options
    const day = dayOf(admittedAt)
    const { charged, abandoned } = tokens.tokensOf(companyId, day)
    if (abandoned <= tokensMin) return
    const limit = Math.max(tokensMin, Math.floor(shareMax * charged))
    const isAtEnd = abandoned > limit * PLAIN_CALLS_FACTOR
    if (abandoned <= limit || !(streamed || isAtEnd)) return
    onHit()
    this.#report(day, { companyId, tokensAbandoned: abandoned, tokensCharged: charged, limit })
    const what = isAtEnd ? 'Calls' : 'Streams'
    const rest = isAtEnd ? '' : "; calls without 'stream' are accepted"
    const message = `${what} of this company are refused until midnight UTC: its callers left calls with about ${abandoned} tokens today, and the limit is ${limit}. Read answers to their end${rest}.`
    throw new GatewayError('rateLimited', message, { retryAfterSeconds: secondsToMidnight(day, admittedAt) })
  }

  /** Once per company and day. */
  #report(day: string, facts: Excess): void {
    if (day !== this.#reportedDay) {
      this.#reported.clear()
      this.#reportedDay = day
    }
    if (this.#reported.has(facts.companyId)) return
    this.#reported.add(facts.companyId)
    this.#options.log.warn(facts, 'company abandoned too many tokens: its calls are refused until midnight UTC')
  }
}

function secondsToMidnight(day: string, now: string): number {
  return Math.max(1, Math.ceil((Date.parse(`${day}T00:00:00.000Z`) + DAY_MS - Date.parse(now)) / 1000))
}
