import { TOKENS_PER_CALL_MAX } from '../../../domain/ledger/decider.ts'
import type { Tokens } from '../../../domain/pricing/priceBook.ts'
import type { Message } from '../../platform/extraction/completion.ts'
import { REPAIR_BYTES_MAX, requestBody } from '../../platform/extraction/extraction.ts'
import type { ParseTarget } from '../../platform/extraction/parseTarget.ts'
import type { InferenceRequest } from '../wire/inferenceRequest.ts'

/** From the most output tokens of the alias for one choice, the most tokens that a call may use. */
export type TokensMax = (maxOutputTokens: number) => Tokens

/**
 * The body's bytes bound the input tokens, because no text has more tokens than bytes. The caller's max_tokens lowers the
 * bound of the alias on the output; embeddings have no output.
 */
export function tokensMax({
  bodyBytes,
  generated,
  maxTokens,
}: Pick<InferenceRequest, 'bodyBytes' | 'generated' | 'maxTokens'>): TokensMax {
  return (maxOutputTokens) => {
    const perChoice = Math.min(maxTokens ?? maxOutputTokens, maxOutputTokens)
    // An answer that reports more tokens is not charged at all.
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
