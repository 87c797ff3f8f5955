import type { AliasPrice, Rates } from '../../contracts/events/pricing.ts'

/** A price of the file, and what the file says besides that is not a part of it. */
export type ImportedPrice = {
  readonly price: AliasPrice
  /** The entry of the file that the price is from. */
  readonly from: string
  readonly left: readonly LeftOut[]
}

/** A field with a price that was not imported. */
export type LeftOut = { readonly field: string; readonly reason: string }

/** What a file says about the aliases: a price, or why it has none. */
export type ImportedPrices = {
  readonly prices: ReadonlyMap<string, ImportedPrice>
  readonly missing: ReadonlyMap<string, string>
}

export type RateName = keyof Rates

/** The rates of tokens, in the order in which they are shown. */
export const RATE_LABELS = {
  input: 'input',
  cachedInput: 'cached input',
  cacheWrite: 'cache write',
  cacheWrite1h: 'cache write 1h',
  audioInput: 'audio input',
  imageInput: 'image input',
  output: 'output',
  reasoning: 'reasoning',
  audioOutput: 'audio output',
  imageOutput: 'image output',
} as const satisfies Record<RateName, string>
export const RATE_NAMES = Object.keys(RATE_LABELS) as readonly RateName[]

/** Amounts are read in credits or dollars. Rates and fees of units are kept in millionths for a million, other fees for one. */
export const PER_MILLION_EXPONENT = -6
export const PER_UNIT_EXPONENT = -12
export const PER_CALL_EXPONENT = -6
export const FACTOR_EXPONENT = -6
