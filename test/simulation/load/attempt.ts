import type { WireName } from '../parties/modelAnswers.ts'

export type CallerKey = { readonly keyId: string; readonly raw: string; readonly companyId: string }

export type Question = {
  /** The prompt, so that the provider can tell it. */
  readonly name: string
  readonly key: CallerKey
  readonly wire: WireName
  readonly alias: string
  readonly isStreamed: boolean
  readonly idempotencyKey: string | null
  /** The service tier that it asks for; null if none. */
  readonly serviceTier: string | null
}

/** How it ended for the caller. cut: it does not know. */
export type AttemptEnd = 'pending' | 'whole' | 'refused' | 'failed' | 'cut' | 'left'

/** One request of a caller, and what it was answered. */
export type Attempt = {
  readonly question: Question
  readonly gateway: string
  readonly sentAtMs: number
  end: AttemptEnd
  endedAtMs: number
  status: number | null
  callId: string | null
  code: string | null
  isReplayed: boolean
  text: string
  /** In millionths; null if the answer does not tell it. */
  chargedMicros: number | null
}
