import type { Message } from '../../../capabilities/extraction/completion.ts'
import { REPAIR_BYTES_MAX, requestBody } from '../../../capabilities/extraction/extraction.ts'
import type { ParseTarget } from '../../../capabilities/extraction/parseTarget.ts'
import { TOKENS_PER_CALL_MAX } from '../../../domain/ledger/decider.ts'
import { boundedUsage, type Tokens, type Usage } from '../../../domain/pricing/usage.ts'
import type { InferenceRequest } from '../wire/requests/inferenceRequest.ts'

/** An image given by URL has far more tokens than its URL has bytes. */
export const TOKENS_PER_IMAGE_MAX = 2_000
/**
 * A document counts as text and one image per page. Providers accept about a hundred pages. The same bound is used for audio
 * and video.
 */
export const TOKENS_PER_FILE_MAX = 300_000
/** Tokens that hosted tools may add, such as search results. */
export const TOKENS_OF_HOSTED_TOOLS_MAX = 1_000_000
/** Tokens that providers add to a request: message and tool templates, and their own instructions. */
export const TOKENS_ADDED_MAX = 4_096
/** The token limit of one choice if contextLength is not set. */
export const CONTEXT_LENGTH_DEFAULT = 1_000_000

/** The most tokens that a call may use, given the output limit of one choice. */
export type TokensMax = (maxOutputTokens: number) => Tokens

type RequestSize = Pick<InferenceRequest, 'bodyBytes' | 'images' | 'files' | 'hostedTools' | 'generated'>

/** The body's bytes bound the tokens of its texts, because no text has more tokens than bytes. */
function inputMax({ bodyBytes, images, files = 0, hostedTools }: Omit<RequestSize, 'generated'>): number {
  const byTools = hostedTools && hostedTools.length > 0 ? TOKENS_OF_HOSTED_TOOLS_MAX : 0
  return bodyBytes + images * TOKENS_PER_IMAGE_MAX + files * TOKENS_PER_FILE_MAX + byTools
}

/** For a hard cap. The caller's max_tokens lowers the alias's output limit; embeddings have no output. */
export function tokensMax(request: RequestSize & Pick<InferenceRequest, 'maxTokens'>): TokensMax {
  const { generated, maxTokens } = request
  return (maxOutputTokens) => {
    const perChoice = Math.min(maxTokens ?? maxOutputTokens, maxOutputTokens)
    return { tokensIn: inputMax(request), tokensOut: Math.min(generated * perChoice, TOKENS_PER_CALL_MAX) }
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

/** The most usage accepted for one request, whatever the provider reports. */
export function usageMax(request: RequestSize, contextLength = CONTEXT_LENGTH_DEFAULT): Tokens {
  return {
    tokensIn: Math.min(inputMax(request) + TOKENS_ADDED_MAX, TOKENS_PER_CALL_MAX),
    tokensOut: Math.min(contextLength * request.generated, TOKENS_PER_CALL_MAX),
  }
}

/** Reduces the usage to the bound. */
export function usageWithinBound(usage: Usage, bound: Tokens): Usage {
  if (usage.tokensIn <= bound.tokensIn && usage.tokensOut <= bound.tokensOut) return usage
  return boundedUsage(usage, bound)
}
