import type { AliasPrice } from '../../contracts/events/pricing.ts'

/** A price of the file, and what the file says besides that is not a part of it. */
export type ImportedPrice = {
  readonly price: AliasPrice
  /** The entry of the file that the price is from. */
  readonly from: string
  /** Prices of the entry for which there is no rate here. */
  readonly left: readonly string[]
}

/** What a file says about the aliases: a price, or why it has none. */
export type ImportedPrices = {
  readonly prices: ReadonlyMap<string, ImportedPrice>
  readonly missing: ReadonlyMap<string, string>
}

/** The rates of a price, in the order in which they are shown. */
export const RATES = {
  inputMicrosPerMillionTokens: 'input',
  cachedInputMicrosPerMillionTokens: 'cached input',
  cacheWriteMicrosPerMillionTokens: 'cache write',
  outputMicrosPerMillionTokens: 'output',
  perCallMicros: 'per call',
} as const satisfies Record<keyof AliasPrice, string>
export type RateName = keyof AliasPrice
export const RATE_NAMES = Object.keys(RATES) as RateName[]
