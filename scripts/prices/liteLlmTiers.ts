import { FACTOR_ONE } from '../../domain/pricing/price.ts'
import { type Decimal, wholeUnits } from './decimal.ts'
import { type LeftOut, PER_UNIT_EXPONENT, type RateName } from './importedPrice.ts'
import type { RateField } from './liteLlmFields.ts'

/** A rate of an entry, in dollars per token. */
export type ListedRate = RateField & { readonly field: string; readonly amount: Decimal }
export type ListedRates = { readonly [Kind in RateName]?: Decimal }
export type ListedTier = { readonly above: number; readonly rates: ListedRates }

/** The rates of the usual service tier, for input above the size. */
export function usualRates(listed: readonly ListedRate[], above = 0): ListedRates {
  const usual = listed.filter((rate) => rate.serviceTier === null && rate.above === above)
  return Object.fromEntries(usual.map(({ kind, amount }) => [kind, amount]))
}

/**
 * The rates that larger input has instead of the usual ones. LiteLLM applies those of a size only if they include the rate
 * of plain input.
 */
export function listedTiers(listed: readonly ListedRate[], left: LeftOut[]): ListedTier[] {
  const sizes = [...new Set(listed.map(({ above }) => above))].filter((above) => above > 0).sort((a, b) => a - b)
  const tiers = sizes.map((above) => ({ above, rates: usualRates(listed, above) }))
  for (const { above, rates } of tiers) {
    if (rates.input !== undefined) continue
    const incomplete = listed.filter((rate) => rate.above === above && rate.serviceTier === null)
    for (const { field } of incomplete)
      left.push({ field, reason: `the list has no rate of plain input above ${above} tokens` })
  }
  return tiers.filter(({ rates }) => rates.input !== undefined)
}

/**
 * What each service tier multiplies the rates by, in millionths. The list has a rate for each kind instead, so there is a
 * factor only if all of them are the same multiple of the usual ones. It would apply to kinds without such a rate, too, so
 * none may lack one.
 */
export function listedFactors(listed: readonly ListedRate[], left: LeftOut[]): Record<string, string> {
  const factors: Record<string, string> = {}
  const usual = listed.filter(({ serviceTier }) => serviceTier === null)
  const byTier = Map.groupBy(
    listed.filter(({ serviceTier }) => serviceTier !== null),
    ({ serviceTier }) => serviceTier ?? '',
  )
  for (const [tier, rates] of byTier) {
    const found = factorOf(rates, usual)
    if (typeof found === 'bigint') factors[tier] = found.toString()
    else for (const { field } of rates) left.push({ field, reason: `${found} ${tier}` })
  }
  return factors
}

/** The factor, or why there is none, as the beginning of a reason that ends with the tier. */
function factorOf(rates: readonly ListedRate[], usual: readonly ListedRate[]): bigint | string {
  const factors = new Set<bigint | null>()
  for (const rate of rates) {
    const base = usual.find((each) => isCounterpart(each, rate))
    factors.add(base ? quotient(rate.amount, base.amount) : null)
  }
  const [factor] = factors
  if (factors.size !== 1 || factor === undefined || factor === null)
    return 'the rates are not all the same multiple of the usual ones at the tier'
  const lacking = usual.find((base) => !rates.some((rate) => isCounterpart(base, rate)) && !costsAsOutput(base, usual))
  return lacking === undefined ? factor : `${lacking.field} has no rate at the tier`
}

function isCounterpart(one: RateField, other: RateField): boolean {
  return one.kind === other.kind && one.above === other.above
}

/** LiteLLM charges reasoning without a rate at the tier as output at the tier. */
function costsAsOutput({ kind, above, amount }: ListedRate, usual: readonly ListedRate[]): boolean {
  const output = usual.find((rate) => rate.kind === 'output' && rate.above === above)
  return kind === 'reasoning' && output !== undefined && quotient(amount, output.amount) === FACTOR_ONE
}

/** In millionths; null if it is no whole number of them. */
function quotient(amount: Decimal, base: Decimal): bigint | null {
  const [dividend, divisor] = [amount, base].map((each) => wholeUnits(each, PER_UNIT_EXPONENT)) as [bigint, bigint]
  return divisor > 0n && (dividend * FACTOR_ONE) % divisor === 0n ? (dividend * FACTOR_ONE) / divisor : null
}
