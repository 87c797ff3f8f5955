import { TOKENS_PER_CALL_MAX } from '../../../domain/ledger/decider.ts'
import type { Tokens } from '../../../domain/pricing/priceBook.ts'
import type { Message } from '../../platform/extraction/completion.ts'
import { REPAIR_BYTES_MAX, requestBody } from '../../platform/extraction/extraction.ts'
import type { ParseTarget } from '../../platform/extraction/parseTarget.ts'
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

/**
 * The model may be asked twice. The second request contains the first question, the first answer, which has no more
 * tokens than the model may write, and the list of what was wrong with it.
 */
export function parseTokensMax(target: ParseTarget, question: readonly Message[]): TokensMax {
  return (maxOutputTokens) => ({
    tokensIn: 2 * requestBody(target, '', question).length + maxOutputTokens + REPAIR_BYTES_MAX,
    tokensOut: 2 * maxOutputTokens,
  })
}
