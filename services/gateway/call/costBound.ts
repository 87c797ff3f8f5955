import type { Message } from '../../../capabilities/extraction/completion.ts'
import { REPAIR_BYTES_MAX, requestBody } from '../../../capabilities/extraction/extraction.ts'
import type { ParseTarget } from '../../../capabilities/extraction/parseTarget.ts'
import { TOKENS_PER_CALL_MAX } from '../../../domain/ledger/decider.ts'
import {
  boundedUsage,
  NO_UNITS,
  type TokenParts,
  type UnitCounts,
  type Usage,
  type UsageBound,
} from '../../../domain/pricing/usage.ts'
import type { InferenceRequest } from '../wire/requests/inferenceRequest.ts'
import { toolName } from '../wire/requests/toolVersion.ts'

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

/** Calls of hosted tools in one answer if the request names no smaller limit. Providers stop far below. */
export const HOSTED_TOOL_CALLS_MAX = 100

/** The most that a call may use, given the output limit of one choice. */
export type BoundOf = (maxOutputTokens: number) => UsageBound

type RequestSize = Pick<
  InferenceRequest,
  'bodyBytes' | 'images' | 'files' | 'hostedTools' | 'toolCallsMax' | 'searches' | 'asksForAudio' | 'generated'
>

/** The body's bytes bound the tokens of its texts, because no text has more tokens than bytes. */
function inputMax({ bodyBytes, images, files = 0, hostedTools }: RequestSize): number {
  const byTools = hostedTools && hostedTools.length > 0 ? TOKENS_OF_HOSTED_TOOLS_MAX : 0
  return bodyBytes + images * TOKENS_PER_IMAGE_MAX + files * TOKENS_PER_FILE_MAX + byTools
}

/**
 * A request without recordings, pictures or tools that may add some has no such tokens, so that their rates do not count for
 * its hold.
 */
function partsMax({ images, files = 0, hostedTools = [], asksForAudio = false }: RequestSize): TokenParts {
  const hasTools = hostedTools.length > 0
  const fromFiles = files * TOKENS_PER_FILE_MAX
  return {
    ...(!hasTools && { audioInput: fromFiles, imageInput: fromFiles + images * TOKENS_PER_IMAGE_MAX }),
    ...(!hasTools && !asksForAudio && { audioOutput: 0 }),
  }
}

function unitsMax({ hostedTools = [], toolCallsMax, searches }: RequestSize): UnitCounts {
  if (hostedTools.length === 0) return searches?.most ?? NO_UNITS
  const callsMax = toolCallsMax ?? HOSTED_TOOL_CALLS_MAX
  return { ...Object.fromEntries(hostedTools.map((tool) => [`tool:${toolName(tool)}`, callsMax])), ...searches?.most }
}

/** For a hard cap. The caller's max_tokens lowers the alias's output limit; embeddings have no output. */
export function requestBound(request: RequestSize & Pick<InferenceRequest, 'maxTokens'>): BoundOf {
  const { generated, maxTokens } = request
  return (maxOutputTokens) => {
    const perChoice = Math.min(maxTokens ?? maxOutputTokens, maxOutputTokens)
    const tokensOut = Math.min(generated * perChoice, TOKENS_PER_CALL_MAX)
    return { tokensIn: inputMax(request), tokensOut, parts: partsMax(request), units: unitsMax(request) }
  }
}

/** Parsing sends text only, and no tools. */
const TEXT_ONLY: TokenParts = { audioInput: 0, imageInput: 0, audioOutput: 0 }

/**
 * The model may be asked twice. The second request contains the first question, the first answer, which has no more
 * tokens than the model may write, and the list of what was wrong with it.
 */
export function parseBound(target: ParseTarget, question: readonly Message[]): BoundOf {
  return (maxOutputTokens) => ({
    tokensIn: 2 * requestBody(target, '', question).length + maxOutputTokens + REPAIR_BYTES_MAX,
    tokensOut: 2 * maxOutputTokens,
    parts: TEXT_ONLY,
    units: NO_UNITS,
  })
}

/** The most usage accepted for one request, whatever the provider reports. */
export function usageMax(request: RequestSize, contextLength = CONTEXT_LENGTH_DEFAULT): UsageBound {
  return {
    tokensIn: Math.min(inputMax(request) + TOKENS_ADDED_MAX, TOKENS_PER_CALL_MAX),
    tokensOut: Math.min(contextLength * request.generated, TOKENS_PER_CALL_MAX),
    parts: partsMax(request),
    units: unitsMax(request),
  }
}

/** Reduces the usage to the bound. Returns the same object if it is within it. */
export function usageWithinBound(usage: Usage, bound: UsageBound): Usage {
  return isWithin(usage, bound) ? usage : boundedUsage(usage, bound)
}

function isWithin({ tokensIn, tokensOut, parts, units }: Usage, bound: UsageBound): boolean {
  if (tokensIn > bound.tokensIn || tokensOut > bound.tokensOut) return false
  for (const kind in bound.parts) {
    const part = kind as keyof TokenParts
    if ((parts[part] ?? 0) > (bound.parts[part] ?? 0)) return false
  }
  for (const unit in units) if ((units[unit] ?? 0) > (bound.units[unit] ?? 0)) return false
  return true
}
