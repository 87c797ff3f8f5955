import type { AliasPrice, InputTier, Rates } from '../../contracts/events/pricing.ts'

/** Rates are per this number of tokens or units. */
export const PER_MILLION = 1_000_000n

/** A factor of 1, in the millionths in which factors are kept. */
export const FACTOR_ONE = 1_000_000n

/** The rates by which input of this size is charged. */
export function ratesFor({ rates, inputTiers }: AliasPrice, tokensIn: number): Rates {
  if (inputTiers === undefined) return rates
  return inputTiers.findLast((tier) => reaches(tier, tokensIn))?.rates ?? rates
}

/** The rates by which input of up to this size may be charged. */
export function ratesUpTo({ rates, inputTiers = [] }: AliasPrice, tokensIn: number): readonly Rates[] {
  return [rates, ...inputTiers.filter((tier) => reaches(tier, tokensIn)).map((tier) => tier.rates)]
}

function reaches({ tokens, inclusive }: InputTier, tokensIn: number): boolean {
  return inclusive ? tokensIn >= tokens : tokensIn > tokens
}

/** What the rates of tokens are multiplied by. A tier that the price does not name costs as much as the usual one. */
export function tierFactor({ tierFactors }: AliasPrice, tier: string | null): bigint {
  if (tierFactors === undefined || tier === null || !Object.hasOwn(tierFactors, tier)) return FACTOR_ONE
  return BigInt(tierFactors[tier] ?? FACTOR_ONE)
}

/** Tiers by which the provider may choose any other. */
const ANY_TIER: ReadonlySet<string> = new Set(['auto'])

/**
 * The highest factor by which a call that requests the tier may be charged. A provider may serve a tier that was asked for
 * at the usual one instead, but a call that asks for none is charged as if it had the usual one, whatever is reported.
 */
export function tierFactorMax(price: AliasPrice, requested: string | null): bigint {
  const factors =
    requested !== null && ANY_TIER.has(requested)
      ? Object.values(price.tierFactors ?? {}).map(BigInt)
      : [tierFactor(price, requested)]
  return factors.reduce((most, factor) => (factor > most ? factor : most), FACTOR_ONE)
}

/** The units in use that the price has no rate for. */
export function unpricedUnits({ unitRates = {} }: AliasPrice, units: Iterable<string>): readonly string[] {
  return [...units].filter((unit) => !Object.hasOwn(unitRates, unit))
}
