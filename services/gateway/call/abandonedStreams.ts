import { TOKENS_PER_CALL_MAX } from '../../../domain/ledger/decider.ts'
import { dayOf } from '../../../projections/dailyTokens/projection.ts'
import type { Log } from '../../platform/log/log.ts'
import { GatewayError } from '../gatewayError.ts'
import type { DailyTokensView } from '../views/dailyTokens.ts'
import type { InferenceRequest } from '../wire/inferenceRequest.ts'

/** About what English text and code have. Used only for streams that never reported their usage. */
export const CHARS_PER_TOKEN = 4
const DAY_MS = 86_400_000

/** An estimate of the tokens of a stream that its caller left; null if the caller did not ask for a stream. */
export function abandonedTokens(
  { stream, bodyBytes }: Pick<InferenceRequest, 'stream' | 'bodyBytes'>,
  deliveredChars: number,
): number | null {
  if (!stream) return null
  return Math.min(TOKENS_PER_CALL_MAX, Math.ceil((bodyBytes + deliveredChars) / CHARS_PER_TOKEN))
}

type Excess = {
  readonly companyId: string
  readonly tokensAbandoned: number
  readonly tokensCharged: number
  readonly limit: number
}

export type AbandonedStreamsOptions = {
  readonly tokens: Pick<DailyTokensView, 'tokensOf'>
  /** Of the tokens that the company was charged for on that day. */
  readonly shareMax: number
  /** The limit of a company that was charged for few tokens. */
  readonly tokensMin: number
  readonly log: Log
  readonly onHit: () => void
}

/**
 * Limits what callers get for nothing by leaving streams before their usage block: a company that has abandoned more
 * tokens on a UTC day than a share of those that it was charged for gets no more streams on that day.
 */
export class AbandonedStreams {
  readonly #options: AbandonedStreamsOptions
  readonly #reported = new Set<string>()
  #reportedDay = ''

  constructor(options: AbandonedStreamsOptions) {
    this.#options = options
  }

  /** Throws if the company gets no streams on the day of the admission. */
  admit(companyId: string, admittedAt: string): void {
    const { tokens, shareMax, tokensMin, onHit } = this.#options
    const day = dayOf(admittedAt)
    const { charged, abandoned } = tokens.tokensOf(companyId, day)
    if (abandoned <= tokensMin) return
    const limit = Math.max(tokensMin, Math.floor(shareMax * charged))
    if (abandoned <= limit) return
    onHit()
    this.#report(day, { companyId, tokensAbandoned: abandoned, tokensCharged: charged, limit })
    const message = `Streams of this company are refused until midnight UTC: its callers left streams with about ${abandoned} tokens today, and the limit is ${limit}. Read streams to their end; calls without 'stream' are accepted.`
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
    this.#options.log.warn(facts, 'company abandoned too many tokens: its streams are refused until midnight UTC')
  }
}

function secondsToMidnight(day: string, now: string): number {
  return Math.max(1, Math.ceil((Date.parse(`${day}T00:00:00.000Z`) + DAY_MS - Date.parse(now)) / 1000))
}
