import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { inputPartsOf, type Tokens, type Usage } from './usage.ts'

/** Rates are per this number of tokens. */
export const TOKENS_PER_PRICE = 1_000_000n

/**
 * What a call is charged. Rounded up once to the next millionth of a credit, so that no call is cheaper than its tokens.
 * Cached input and cache writes without a rate of their own cost as much as other input.
 */
export function chargeMicros(price: AliasPrice, usage: Usage): bigint {
  const input = BigInt(price.inputMicrosPerMillionTokens)
  let product = BigInt(usage.tokensIn) * input + BigInt(usage.tokensOut) * BigInt(price.outputMicrosPerMillionTokens)
  const { cachedInputMicrosPerMillionTokens: cached, cacheWriteMicrosPerMillionTokens: written, perCallMicros } = price
  // Most prices and calls have none of these. The parts are already in the input, so only the difference is added.
  if (cached !== undefined && usage.tokensCached) product += BigInt(usage.tokensCached) * (BigInt(cached) - input)
  if (written !== undefined && usage.tokensCacheWrite)
    product += BigInt(usage.tokensCacheWrite) * (BigInt(written) - input)
  const tokensMicros = roundedUp(product)
  return perCallMicros === undefined ? tokensMicros : tokensMicros + BigInt(perCallMicros)
}

/** The most that a call of this size can be charged: any of its input may be cached, or written to a cache. */
export function chargeMaxMicros(price: AliasPrice, { tokensIn, tokensOut }: Tokens): bigint {
  const { input, cached, cacheWrite, output, perCall } = ratesOf(price)
  const dearest = [cached, cacheWrite].reduce((most, rate) => (rate > most ? rate : most), input)
  return perCall + roundedUp(BigInt(tokensIn) * dearest + BigInt(tokensOut) * output)
}

/**
 * As much of the usage as the amount pays for: uncached input first, then cached input, cache writes and output. The fee
 * for the call itself cannot be reduced; the amount must cover it.
 */
export function usageWithin(price: AliasPrice, usage: Usage, amountMicros: bigint): Usage {
  if (chargeMicros(price, usage) <= amountMicros) return usage
  const rates = ratesOf(price)
  let payable = amountMicros > rates.perCall ? (amountMicros - rates.perCall) * TOKENS_PER_PRICE : 0n
  const paid = (tokens: number, rate: bigint): number => {
    // Tokens that cost nothing are always included.
    const count = BigInt(tokens) * rate <= payable ? tokens : Number(payable / rate)
    payable -= BigInt(count) * rate
    return count
  }
  const parts = inputPartsOf(usage)
  const uncached = paid(parts.uncached, rates.input)
  const cached = paid(parts.cached, rates.cached)
  const cacheWrite = paid(parts.cacheWrite, rates.cacheWrite)
  return {
    tokensIn: uncached + cached + cacheWrite,
    tokensOut: paid(usage.tokensOut, rates.output),
    tokensCached: usage.tokensCached === null ? null : cached,
    tokensCacheWrite: usage.tokensCacheWrite === null ? null : cacheWrite,
  }
}

function ratesOf(price: AliasPrice) {
  const input = BigInt(price.inputMicrosPerMillionTokens)
  const orInput = (rate: string | undefined) => (rate === undefined ? input : BigInt(rate))
  return {
    input,
    cached: orInput(price.cachedInputMicrosPerMillionTokens),
    cacheWrite: orInput(price.cacheWriteMicrosPerMillionTokens),
    output: BigInt(price.outputMicrosPerMillionTokens),
    perCall: BigInt(price.perCallMicros ?? '0'),
  }
}

function roundedUp(product: bigint): bigint {
  return (product + TOKENS_PER_PRICE - 1n) / TOKENS_PER_PRICE
}
