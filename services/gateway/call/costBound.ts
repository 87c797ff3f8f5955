import type { Message } from '../../../capabilities/extraction/completion.ts'
import { REPAIR_BYTES_MAX, requestBody } from '../../../capabilities/extraction/extraction.ts'
import type { ParseTarget } from '../../../capabilities/extraction/parseTarget.ts'
import { TOKENS_PER_CALL_MAX } from '../../../domain/ledger/decider.ts'
import { boundedUsage, type Tokens, type Usage } from '../../../domain/pricing/usage.ts'
import type { InferenceRequest } from '../wire/requests/inferenceRequest.ts'

/** An image that is named by its address has far more tokens than its address has bytes. */
export const TOKENS_PER_IMAGE_MAX = 2_000
/**
 * A document has text and a picture of each of its pages. Providers take about a hundred pages. The same bounds a recording
 * or a video.
 */
export const TOKENS_PER_FILE_MAX = 300_000
/** What tools that the provider runs may add, such as results of a search. */
export const TOKENS_OF_HOSTED_TOOLS_MAX = 1_000_000
/** What providers add to a request: templates of messages and tools, and instructions of their own. */
export const TOKENS_ADDED_MAX = 4_096
/** The most tokens of one choice of an alias whose contextLength is not set. */
export const CONTEXT_LENGTH_DEFAULT = 1_000_000

/** From the most output tokens of the alias for one choice, the most tokens that a call may use. */
export type TokensMax = (maxOutputTokens: number) => Tokens

type RequestSize = Pick<InferenceRequest, 'bodyBytes' | 'images' | 'files' | 'hostedTools' | 'generated'>

/** The body's bytes bound the tokens of its texts, because no text has more tokens than bytes. */
function inputMax({ bodyBytes, images, files = 0, hostedTools }: Omit<RequestSize, 'generated'>): number {
  const byTools = hostedTools && hostedTools.length > 0 ? TOKENS_OF_HOSTED_TOOLS_MAX : 0
  return bodyBytes + images * TOKENS_PER_IMAGE_MAX + files * TOKENS_PER_FILE_MAX + byTools
}

/** For a hard cap. The caller's max_tokens lowers the bound of the alias on the output; embeddings have no output. */
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

/** The most usage that a provider is believed to have had with one request, whatever it reports. */
export function usageMax(request: RequestSize, contextLength = CONTEXT_LENGTH_DEFAULT): Tokens {
  return {
    tokensIn: Math.min(inputMax(request) + TOKENS_ADDED_MAX, TOKENS_PER_CALL_MAX),
    tokensOut: Math.min(contextLength * request.generated, TOKENS_PER_CALL_MAX),
  }
}

/** The same usage if it is within the bound; otherwise as much of it as is. */
export function usageWithinBound(usage: Usage, bound: Tokens): Usage {
  if (usage.tokensIn <= bound.tokensIn && usage.tokensOut <= bound.tokensOut) return usage
  return boundedUsage(usage, bound)
}
