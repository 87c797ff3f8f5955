import type { ChargeLine } from '../../contracts/events/ledger.ts'
import type { AliasPrice, Rates } from '../../contracts/events/pricing.ts'
import { FACTOR_ONE, PER_MILLION, ratesFor, ratesUpTo, tierFactor, tierFactorMax } from './price.ts'
import { INPUT_PARTS, OUTPUT_PARTS, rateOf, type TokenKind } from './tokenKinds.ts'
import { plainTokens, type TokenParts, type Usage, type UsageBound } from './usage.ts'

/** The line that takes off what exceeds the bound of a call. */
export const BEYOND_BOUND = 'beyondBound'

/** A line of a charge before it is recorded. */
export type Line = Omit<ChargeLine, 'amountMicros'> & { readonly amountMicros: bigint }

export type Charge = {
  /** The sum of the lines: each is rounded so that the whole is rounded up once. */
  readonly amountMicros: bigint
  readonly lines: readonly Line[]
  /** What the rates of tokens were multiplied by, in millionths. */
  readonly tierFactor: bigint
}

/** What a call is charged. The tier is charged as reported, but at most as requested. */
export function chargeOf(price: AliasPrice, usage: Usage, requestedTier: string | null): Charge {
  return chargeAt(price, usage, least(tierFactor(price, usage.serviceTier), tierFactorMax(price, requestedTier)))
}

/** The same, with a factor that is known already. */
export function chargeAt(price: AliasPrice, usage: Usage, factor: bigint): Charge {
  const rates = ratesFor(price, usage.tokensIn)
  const sum = new ChargeSum()
  const addTokens = (kind: TokenKind, count: number) => {
    if (count > 0) sum.add(kind, count, rateOf(rates, kind), factor)
  }
  addTokens('input', plainTokens(usage.tokensIn, usage.parts, INPUT_PARTS))
  for (const kind of INPUT_PARTS) addTokens(kind, usage.parts[kind] ?? 0)
  addTokens('output', plainTokens(usage.tokensOut, usage.parts, OUTPUT_PARTS))
  for (const kind of OUTPUT_PARTS) addTokens(kind, usage.parts[kind] ?? 0)
  for (const unit of Object.keys(usage.units).sort()) {
    const count = usage.units[unit] ?? 0
    if (count > 0) sum.add(unit, count, unitRate(price, unit), FACTOR_ONE)
  }
  if (price.callMicros !== undefined)
    sum.add('call', 1, (BigInt(price.callMicros) * PER_MILLION).toString(), FACTOR_ONE)
  return { amountMicros: sum.amountMicros, lines: sum.lines, tierFactor: factor }
}

/** The charge, but no more than the amount: what is above it is taken off by a line of its own. */
export function chargeWithin(charge: Charge, mostMicros: bigint): Charge {
  const beyond = charge.amountMicros - mostMicros
  if (beyond <= 0n) return charge
  const line = { kind: BEYOND_BOUND, count: 0, rate: '0', amountMicros: -beyond }
  return { ...charge, amountMicros: mostMicros, lines: [...charge.lines, line] }
}

/** The most that a call within the bound can be charged, however its tokens are split into kinds. */
export function chargeMaxMicros(price: AliasPrice, bound: UsageBound, requestedTier: string | null): bigint {
  const tokens = ratesUpTo(price, bound.tokensIn).map(
    (rates) =>
      dearestSplit(rates, ['input', ...INPUT_PARTS], bound.tokensIn, bound.parts) +
      dearestSplit(rates, ['output', ...OUTPUT_PARTS], bound.tokensOut, bound.parts),
  )
  let product = tokens.reduce(greatest) * tierFactorMax(price, requestedTier)
  for (const [unit, count] of Object.entries(bound.units))
    product += BigInt(count) * BigInt(unitRate(price, unit)) * FACTOR_ONE
  return roundedUp(product) + BigInt(price.callMicros ?? '0')
}

/** What the tokens of a direction cost if as many as possible are of the dearest kinds. */
function dearestSplit(rates: Rates, kinds: readonly TokenKind[], tokens: number, bounds: TokenParts): bigint {
  const byRate = kinds
    .map((kind) => ({ rate: BigInt(rateOf(rates, kind)), most: (bounds as Partial<Record<TokenKind, number>>)[kind] }))
    .sort((a, b) => (a.rate < b.rate ? 1 : -1))
  let left = tokens
  let product = 0n
  for (const { rate, most } of byRate) {
    const count = Math.min(left, most ?? left)
    product += BigInt(count) * rate
    left -= count
  }
  return product
}

function unitRate({ unitRates = {} }: AliasPrice, unit: string): string {
  const rate = Object.hasOwn(unitRates, unit) ? unitRates[unit] : undefined
  if (rate === undefined) throw new Error(`a call used ${unit}, which its price has no rate for`)
  return rate
}

/** Adds up lines exactly, in millionths of a millionth of a micro. */
class ChargeSum {
  readonly lines: Line[] = []
  amountMicros = 0n
  #product = 0n

  add(kind: string, count: number, rate: string, factor: bigint): void {
    this.#product += BigInt(count) * BigInt(rate) * factor
    const amountMicros = roundedUp(this.#product) - this.amountMicros
    this.amountMicros += amountMicros
    this.lines.push({ kind, count, rate, amountMicros })
  }
}

function roundedUp(product: bigint): bigint {
  const one = PER_MILLION * FACTOR_ONE
  return (product + one - 1n) / one
}

function greatest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
