import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { costMicros, TOKENS_PER_PRICE, type Tokens } from './priceBook.ts'

/** As many of the tokens as the amount pays for: input tokens first, then output tokens. */
export function usageWithin(price: AliasPrice, tokens: Tokens, amountMicros: bigint): Tokens {
  if (costMicros(price, tokens) <= amountMicros) return tokens
  const payable = amountMicros > 0n ? amountMicros * TOKENS_PER_PRICE : 0n
  const inputPrice = BigInt(price.inputMicrosPerMillionTokens)
  const outputPrice = BigInt(price.outputMicrosPerMillionTokens)
  const input = BigInt(tokens.tokensIn) * inputPrice
  // Tokens that cost nothing are always included.
  const tokensIn = input <= payable ? tokens.tokensIn : Number(payable / inputPrice)
  const rest = payable - BigInt(tokensIn) * inputPrice
  const written = BigInt(tokens.tokensOut) * outputPrice
  return { tokensIn, tokensOut: written <= rest ? tokens.tokensOut : Number(rest / outputPrice) }
}
