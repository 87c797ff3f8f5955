import { TOKENS_PER_PRICE, type Tokens } from './priceBook.ts'

/** What a provider charges us, in millionths of the currency. A rate that is null equals that of other input. */
export type ProviderCost = {
  readonly currency: string
  readonly inputMicrosPerMillionTokens: bigint
  readonly cachedInputMicrosPerMillionTokens: bigint | null
  readonly cacheWriteMicrosPerMillionTokens: bigint | null
  readonly outputMicrosPerMillionTokens: bigint
  readonly perCallMicros: bigint
}

/** Cached tokens are part of the input tokens; null if the provider does not report them. */
export type ProviderTokens = Tokens & {
  readonly tokensCached: number | null
  readonly tokensCacheWrite: number | null
}

/** Exact, then rounded up to the next millionth of the currency, as charges are: a margin is never overstated. */
export function providerCostMicros(cost: ProviderCost, tokens: ProviderTokens): bigint {
  const cached = tokens.tokensCached ?? 0
  const written = tokens.tokensCacheWrite ?? 0
  const input = cost.inputMicrosPerMillionTokens
  const product =
    BigInt(tokens.tokensIn - cached - written) * input +
    BigInt(cached) * (cost.cachedInputMicrosPerMillionTokens ?? input) +
    BigInt(written) * (cost.cacheWriteMicrosPerMillionTokens ?? input) +
    BigInt(tokens.tokensOut) * cost.outputMicrosPerMillionTokens
  return cost.perCallMicros + (product + TOKENS_PER_PRICE - 1n) / TOKENS_PER_PRICE
}
