import { TOKENS_PER_CALL_MAX } from '../../../domain/ledger/decider.ts'
import type { Tokens } from '../../../domain/pricing/priceBook.ts'
import type { InferenceRequest } from '../wire/inferenceRequest.ts'

/** The most tokens that an alias gives for one choice, and from there the most that a call may use. */
export type TokensMax = (maxOutputTokens: number) => Tokens

/**
 * No text has more tokens than bytes, and the body holds more than its texts. What the caller allows for one choice
 * lowers what the alias does; embeddings allow none.
 */
export function tokensMax({
  bodyBytes,
  generated,
  maxTokens,
}: Pick<InferenceRequest, 'bodyBytes' | 'generated' | 'maxTokens'>): TokensMax {
  return (maxOutputTokens) => {
    const perChoice = Math.min(maxTokens ?? maxOutputTokens, maxOutputTokens)
    // An answer that tells of more is not charged at all.
    return { tokensIn: bodyBytes, tokensOut: Math.min(generated * perChoice, TOKENS_PER_CALL_MAX) }
  }
}
