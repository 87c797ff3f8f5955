import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { costMicros, TOKENS_PER_PRICE, type Tokens } from './priceBook.ts'

/** As much of the tokens as the amount pays for: those that were read, then those that were written. */
export function usageWithin(price: AliasPrice, tokens: Tokens, amountMicros: bigint): Tokens {
  if (costMicros(price, tokens) <= amountMicros) return tokens
  const payable = amountMicros > 0n ? amountMicros * TOKENS_PER_PRICE : 0n
  const inputPrice = BigInt(price.inputMicrosPerMillionTokens)
  const outputPrice = BigInt(price.outputMicrosPerMillionTokens)
  const input = BigInt(tokens.tokensIn) * inputPrice
  // Whatever costs nothing need not be left out.
  const tokensIn = input <= payable ? tokens.tokensIn : Number(payable / inputPrice)
  const rest = payable - BigInt(tokensIn) * inputPrice
  const written = BigInt(tokens.tokensOut) * outputPrice
  return { tokensIn, tokensOut: written <= rest ? tokens.tokensOut : Number(rest / outputPrice) }
}
