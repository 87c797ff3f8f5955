import type { ProviderTokens } from '../../../domain/pricing/providerCost.ts'

/** What a provider reports. All input tokens, cached ones included, are `tokensIn`. */
export type Usage = ProviderTokens

/** The usage block of a provider's answer or stream chunk; null if there is none that a charge could be based on. */
export function readUsage(answer: unknown): Usage | null {
  const usage = member(answer, 'usage')
  const tokensIn = member(usage, 'prompt_tokens')
  // Embeddings produce no tokens, and their usage does not mention any.
  const tokensOut = member(usage, 'completion_tokens', 0)
  if (!isTokenCount(tokensIn) || !isTokenCount(tokensOut)) return null
  const details = member(usage, 'prompt_tokens_details')
  if (details === undefined || details === null) {
    return { tokensIn, tokensOut, tokensCached: null, tokensCacheWrite: null }
  }
  // A charge does not depend on these, so one that cannot be true is ignored.
  const tokensCached = partOf(tokensIn, member(details, 'cached_tokens'))
  const tokensCacheWrite = partOf(tokensIn - (tokensCached ?? 0), member(details, 'cache_write_tokens'))
  return { tokensIn, tokensOut, tokensCached, tokensCacheWrite }
}

function member(value: unknown, name: string, absent?: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const { [name]: found = absent } = value as Record<string, unknown>
  return found
}

function isTokenCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function partOf(tokens: number, value: unknown): number | null {
  return isTokenCount(value) && value <= tokens ? value : null
}
