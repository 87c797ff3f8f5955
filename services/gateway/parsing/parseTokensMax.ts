import { type Message, REPAIR_BYTES_MAX, requestBody } from '../../platform/extraction/extraction.ts'
import type { ParseTarget } from '../../platform/extraction/parseTarget.ts'
import type { TokensMax } from '../call/costBound.ts'

/**
 * The model may be asked twice. The second time it reads the first question again, its own answer, which has no more
 * tokens than it was allowed to write, and what was wrong with that.
 */
export function parseTokensMax(target: ParseTarget, question: readonly Message[]): TokensMax {
  return (maxOutputTokens) => ({
    tokensIn: 2 * requestBody(target, '', question).length + maxOutputTokens + REPAIR_BYTES_MAX,
    tokensOut: 2 * maxOutputTokens,
  })
}
