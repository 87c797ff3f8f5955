import { TOKENS_PER_PRICE } from './charge.ts'
import { inputPartsOf, type Usage } from './usage.ts'

/** What a provider charges us, in millionths of the currency. A null rate equals that of other input. */
export type ProviderCost = {
  readonly currency: string
  readonly inputMicrosPerMillionTokens: bigint
  readonly cachedInputMicrosPerMillionTokens: bigint | null
  readonly cacheWriteMicrosPerMillionTokens: bigint | null
  readonly outputMicrosPerMillionTokens: bigint
  readonly perCallMicros: bigint
}

/** Exact, then rounded up to the next millionth of the currency, like charges: a margin is never overstated. */
export function providerCostMicros(cost: ProviderCost, usage: Usage): bigint {
  const { uncached, cached, cacheWrite } = inputPartsOf(usage)
  const input = cost.inputMicrosPerMillionTokens
  const product =
    BigInt(uncached) * input +
    BigInt(cached) * (cost.cachedInputMicrosPerMillionTokens ?? input) +
    BigInt(cacheWrite) * (cost.cacheWriteMicrosPerMillionTokens ?? input) +
    BigInt(usage.tokensOut) * cost.outputMicrosPerMillionTokens
  return cost.perCallMicros + (product + TOKENS_PER_PRICE - 1n) / TOKENS_PER_PRICE
}
