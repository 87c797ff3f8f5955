import { boundedUsage, type Usage } from '../../../../domain/pricing/usage.ts'
import { faultIn, type ProviderFault } from './providerFault.ts'

/** The facts read from a provider's complete answer. */
export type AnswerFacts = {
  /** null if no usage can be charged, or the bytes are not JSON. */
  readonly usage: Usage | null
  readonly isError: boolean
  /** What the error says about the request; null if it is of no use to callers. */
  readonly fault?: ProviderFault | null
}

const FAILED: ReadonlySet<unknown> = new Set(['failed', 'cancelled'])

export function readAnswer(json: unknown): AnswerFacts {
  return factsOf(readUsage(json), reportsError(json), json)
}

/** Responses API: a failed answer also says so in its status. */
export function readResponsesAnswer(json: unknown): AnswerFacts {
  const isFailed = typeof json === 'object' && json !== null && 'status' in json && FAILED.has(json.status)
  return factsOf(readResponsesUsage(json), isFailed || reportsError(json), json)
}

/** Of the Messages API. */
export function readMessagesAnswer(json: unknown): AnswerFacts {
  return factsOf(readMessagesUsage(json), reportsError(json), json)
}

function factsOf(usage: Usage | null, isError: boolean, json: unknown): AnswerFacts {
  return isError ? { usage, isError, fault: faultIn((json as { error?: unknown }).error) } : { usage, isError }
}

/** Some providers report errors with status 200, as within a stream. */
function reportsError(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !('error' in json)) return false
  return typeof json.error === 'object' ? json.error !== null : typeof json.error === 'string' && json.error !== ''
}

/**
 * The usage block of an answer or stream chunk on the chat-completion wire; null if there is none that a charge could be
 * based on. Cached tokens are part of `prompt_tokens`.
 */
export function readUsage(answer: unknown): Usage | null {
  const usage = member(answer, 'usage')
  const tokensIn = member(usage, 'prompt_tokens')
  // Embeddings produce no tokens, and their usage does not mention any.
  const tokensOut = member(usage, 'completion_tokens', 0)
  if (!isTokenCount(tokensIn) || !isTokenCount(tokensOut)) return null
  return withParts(tokensIn, tokensOut, member(usage, 'prompt_tokens_details'))
}

/** The same for `usage` of a Responses object. Cached tokens are part of `input_tokens`. */
export function readResponsesUsage(response: unknown): Usage | null {
  const usage = member(response, 'usage')
  const tokensIn = member(usage, 'input_tokens')
  const tokensOut = member(usage, 'output_tokens')
  if (!isTokenCount(tokensIn) || !isTokenCount(tokensOut)) return null
  return withParts(tokensIn, tokensOut, member(usage, 'input_tokens_details'))
}

/**
 * The same for `usage` of a message. `input_tokens` are those that were neither read from a cache nor written to one, so
 * a cached count that is no number of tokens leaves the size of the input unknown.
 */
export function readMessagesUsage(message: unknown): Usage | null {
  const usage = member(message, 'usage')
  const uncached = member(usage, 'input_tokens')
  const tokensOut = member(usage, 'output_tokens')
  const tokensCached = member(usage, 'cache_read_input_tokens') ?? null
  const tokensCacheWrite = member(usage, 'cache_creation_input_tokens') ?? null
  if (!isTokenCount(uncached) || !isTokenCount(tokensOut)) return null
  if (!isTokenCountOrNull(tokensCached) || !isTokenCountOrNull(tokensCacheWrite)) return null
  const tokensIn = uncached + (tokensCached ?? 0) + (tokensCacheWrite ?? 0)
  return isTokenCount(tokensIn) ? { tokensIn, tokensOut, tokensCached, tokensCacheWrite } : null
}

/** Parts of the input that exceed it are reduced to it; those that are no number of tokens are ignored. */
function withParts(tokensIn: number, tokensOut: number, details: unknown): Usage {
  if (details === undefined || details === null) {
    return { tokensIn, tokensOut, tokensCached: null, tokensCacheWrite: null }
  }
  const tokensCached = countOrNull(member(details, 'cached_tokens'))
  const tokensCacheWrite = countOrNull(member(details, 'cache_write_tokens'))
  return boundedUsage({ tokensIn, tokensOut, tokensCached, tokensCacheWrite })
}

function member(value: unknown, name: string, absent?: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const { [name]: found = absent } = value as Record<string, unknown>
  return found
}

function isTokenCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isTokenCountOrNull(value: unknown): value is number | null {
  return value === null || isTokenCount(value)
}

function countOrNull(value: unknown): number | null {
  return isTokenCount(value) ? value : null
}
