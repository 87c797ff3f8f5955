import { nonNegativeMicros } from '../../contracts/events/definition.ts'
import type { AliasPrice, InputTier, Rates } from '../../contracts/events/pricing.ts'
import { AMOUNT_MICROS_MAX, formatCredits } from '../credits.ts'
import { Refusal } from '../decider.ts'
import { FACTOR_ONE } from './price.ts'

/** Providers are known to have two. */
export const INPUT_TIERS_MAX = 4
export const SERVICE_TIERS_MAX = 10
export const UNITS_MAX = 20
const FACTOR_MAX = 100n * FACTOR_ONE

const UNIT = /^(?:image|audioSecond|character|search|tool:[a-z][a-z0-9_]{0,60})$/
const SERVICE_TIER = /^[a-z][a-z0-9_-]{0,30}$/

/** Refuses a price that could not be charged, or whose charges their own schema would refuse. */
export function requirePrice(alias: string, price: AliasPrice): void {
  const { rates, inputTiers = [], unitRates = {}, tierFactors = {}, callMicros } = price
  requireRates(rates, alias)
  requireTiers(inputTiers, alias)
  requireNamed(unitRates, { of: `units of ${alias}`, most: UNITS_MAX, rule: UNIT, limit: AMOUNT_MICROS_MAX })
  requireNamed(tierFactors, {
    of: `service tiers of ${alias}`,
    most: SERVICE_TIERS_MAX,
    rule: SERVICE_TIER,
    limit: FACTOR_MAX,
  })
  if (callMicros !== undefined) requireMicros(callMicros, `call of ${alias}`, AMOUNT_MICROS_MAX)
}

function requireRates(rates: Rates, of: string): void {
  for (const [kind, rate] of Object.entries(rates)) requireMicros(rate, `${kind} of ${of}`, AMOUNT_MICROS_MAX)
}

function requireTiers(tiers: readonly InputTier[], alias: string): void {
  if (tiers.length > INPUT_TIERS_MAX)
    throw invalid(`${alias} has ${tiers.length} input tiers, and may have ${INPUT_TIERS_MAX}`)
  for (const [n, { tokens, rates }] of tiers.entries()) {
    if (!Number.isSafeInteger(tokens) || tokens <= 0)
      throw invalid(`the threshold of an input tier of ${alias} must be a positive whole number, not ${tokens}`)
    const before = tiers[n - 1]
    if (before && before.tokens >= tokens)
      throw invalid(`the input tiers of ${alias} must rise, but ${tokens} tokens follow ${before.tokens}`)
    requireRates(rates, `${alias} for more than ${tokens} tokens`)
  }
}

type Named = { readonly of: string; readonly most: number; readonly rule: RegExp; readonly limit: bigint }

function requireNamed(amounts: Readonly<Record<string, string>>, { of, most, rule, limit }: Named): void {
  const entries = Object.entries(amounts)
  if (entries.length > most) throw invalid(`there are ${entries.length} ${of}, and may be ${most}`)
  for (const [name, amount] of entries) {
    if (!rule.test(name)) throw invalid(`${JSON.stringify(name.slice(0, 100))} is not among the known ${of}`)
    requireMicros(amount, `${name} among the ${of}`, limit)
  }
}

/** Zero is a valid rate. */
function requireMicros(amount: string, what: string, limit: bigint): void {
  if (nonNegativeMicros.safeParse(amount).success && BigInt(amount) <= limit) return
  throw invalid(`${what} must be a whole number of millionths, and at most ${formatCredits(limit)}`)
}

function invalid(message: string): Refusal {
  return new Refusal('INVALID', `prices: ${message}`)
}
