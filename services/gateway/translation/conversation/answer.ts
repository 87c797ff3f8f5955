import type { ProviderFault } from '../../wire/answers/providerFault.ts'
import type { ReasoningState } from './reasoningState.ts'

export type AnswerPart =
  | { readonly type: 'text' | 'refusal'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string; readonly state: ReasoningState | null }
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly arguments: string }

export type StopReason = 'end' | 'stopSequence' | 'maxTokens' | 'contextWindow' | 'toolCalls' | 'contentFilter'

/** As the charge counts it, with the tokens that the model reasoned with, which are part of the output. */
export type AnswerUsage = {
  readonly tokensIn: number
  readonly tokensOut: number
  /** Parts of the input and the output; null if the provider does not report them. */
  readonly tokensCached: number | null
  readonly tokensCacheWrite: number | null
  readonly tokensReasoning: number | null
}

export type AnswerEnd = {
  readonly stop: StopReason
  /** The text at which the model stopped, if the API names it. */
  readonly stopSequence: string | null
  readonly usage: AnswerUsage
  /** The service tier that the call was given; null if the provider does not say. */
  readonly serviceTier: string | null
}

/** What a model answers, in no API's own terms. */
export type Answer = AnswerEnd & { readonly parts: readonly AnswerPart[] }

/** Events of an answer that is streamed. Parts are numbered in the order in which they begin; several may be open. */
export type AnswerEvent =
  /** `serviceTier`: null if the provider has not said it yet. */
  | { readonly type: 'begins'; readonly serviceTier: string | null }
  | { readonly type: 'partBegins'; readonly part: number; readonly kind: 'text' | 'refusal' | 'reasoning' }
  | {
      readonly type: 'partBegins'
      readonly part: number
      readonly kind: 'toolCall'
      readonly id: string
      readonly name: string
    }
  | { readonly type: 'partGrows'; readonly part: number; readonly text: string }
  /** `state` is that of reasoning, and null for all other parts. */
  | { readonly type: 'partEnds'; readonly part: number; readonly state: ReasoningState | null }
  | ({ readonly type: 'ends' } & AnswerEnd)

/**
 * Why an answer cannot be given to the caller. The first four are the reasons of failed calls that stand on the ledger;
 * `untranslatable` is content that the caller's API has no form for.
 */
export type FailureReason = 'provider_cut' | 'provider_error' | 'provider_too_large' | 'no_usage' | 'untranslatable'

export type AnswerFailure = {
  readonly reason: FailureReason
  /** What happened, for the log. It names fields and types, and never quotes content. */
  readonly detail: string
  /** What the provider's error says about the request; null if nothing that callers can use. */
  readonly fault: ProviderFault | null
}

/** Thrown while an answer or stream is read; the functions that the gateway calls return its failure as a value. */
export class AnswerFailed extends Error {
  override readonly name = 'AnswerFailed'
  readonly failure: AnswerFailure

  constructor(reason: FailureReason, detail: string, fault: ProviderFault | null = null) {
    super(detail)
    this.failure = { reason, detail, fault }
  }
}

/** A provider that does not keep to its API; the call fails as if the answer had been cut off. */
export function brokenAnswer(detail: string): AnswerFailed {
  return new AnswerFailed('provider_cut', detail)
}

export function untranslatable(detail: string): AnswerFailed {
  return new AnswerFailed('untranslatable', detail)
}
