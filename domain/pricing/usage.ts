/** The tokens of a call by direction only, as used for bounds on its size. */
export type Tokens = { readonly tokensIn: number; readonly tokensOut: number }

/**
 * What a call used, however its API reports it. `tokensIn` is all input; the tokens that the provider read from its
 * cache or wrote to it are parts of it, null if not reported. Both parts together never exceed the input.
 */
export type Usage = Tokens & {
  readonly tokensCached: number | null
  readonly tokensCacheWrite: number | null
}

/** The input of a call as counts that do not overlap. */
export type InputParts = { readonly uncached: number; readonly cached: number; readonly cacheWrite: number }

export function inputPartsOf({ tokensIn, tokensCached, tokensCacheWrite }: Usage): InputParts {
  const cached = tokensCached ?? 0
  const cacheWrite = tokensCacheWrite ?? 0
  return { uncached: tokensIn - cached - cacheWrite, cached, cacheWrite }
}

/**
 * The usage within the bounds. Parts of the input that exceed it, and so cannot be true, are reduced to what is left of
 * it, cache writes first, so that no count is negative.
 */
export function boundedUsage(usage: Usage, { tokensIn: inMax, tokensOut: outMax }: Tokens = usage): Usage {
  const tokensIn = Math.min(usage.tokensIn, inMax)
  const tokensCached = atMost(usage.tokensCached, tokensIn)
  const tokensCacheWrite = atMost(usage.tokensCacheWrite, tokensIn - (tokensCached ?? 0))
  return { tokensIn, tokensOut: Math.min(usage.tokensOut, outMax), tokensCached, tokensCacheWrite }
}

/** Null stays null: an unknown count has no bound. */
function atMost(tokens: number | null, max: number): number | null {
  return tokens === null ? null : Math.min(tokens, max)
}
