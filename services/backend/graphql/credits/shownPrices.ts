import type { AliasPrice, InputTier, Rates } from '../../../../contracts/events/pricing.ts'
import { creditsNumber, creditsOf } from '../../../../domain/credits.ts'
import { apiError } from '../apiError.ts'
import type { AliasPriceInput, InputTierInput, AliasPrice as ShownPrice, InputTier as ShownTier } from '../generated.ts'

/** The kinds of tokens, by the names that the API has for their rates. */
const RATE_NAMES = {
  input: 'inputPerMillionTokens',
  cachedInput: 'cachedInputPerMillionTokens',
  cacheWrite: 'cacheWritePerMillionTokens',
  cacheWrite1h: 'cacheWrite1hPerMillionTokens',
  audioInput: 'audioInputPerMillionTokens',
  imageInput: 'imageInputPerMillionTokens',
  output: 'outputPerMillionTokens',
  reasoning: 'reasoningPerMillionTokens',
  audioOutput: 'audioOutputPerMillionTokens',
  imageOutput: 'imageOutputPerMillionTokens',
} as const satisfies Record<keyof Rates, string>

type ShownRates = Omit<ShownTier, 'tokens' | 'inclusive'>
type RatesInput = Omit<InputTierInput, 'tokens' | 'inclusive'>
const KINDS = Object.entries(RATE_NAMES) as [keyof Rates, keyof RatesInput][]

/** A price has micros for a million units, and the API credits for one: a difference of as many decimals. */
const UNIT_DECIMALS = 12
const FACTOR_DECIMALS = 6
/** A double keeps every decimal of so many digits apart from all others of so many. */
const EXACT_DIGITS_MAX = 15

export function shownPrice([alias, price]: [string, AliasPrice], bookId: string): ShownPrice {
  const { rates, inputTiers = [], unitRates = {}, tierFactors = {}, callMicros } = price
  return {
    alias,
    ...shownRates(rates),
    perCall: creditsOrNull(callMicros),
    inputTiers: inputTiers.map(({ tokens, inclusive, rates: own }) => ({ tokens, inclusive, ...shownRates(own) })),
    units: Object.entries(unitRates).map(([unit, rate]) => ({ unit, credits: Number(`${rate}e-${UNIT_DECIMALS}`) })),
    serviceTiers: Object.entries(tierFactors).map(([tier, factor]) => ({ tier, factor: shownFactor(factor) })),
    bookId,
  }
}

export function shownFactor(millionths: string): number {
  return Number(`${millionths}e-${FACTOR_DECIMALS}`)
}

/** The prices by alias. Whether they can be charged is for the domain to say. */
export function pricesOf(inputs: readonly AliasPriceInput[]): Record<string, AliasPrice> {
  return byName(
    'prices',
    inputs.map((input) => [input.alias, priceOf(input)]),
  )
}

function priceOf({ alias, perCall, inputTiers, units, serviceTiers, ...rates }: AliasPriceInput): AliasPrice {
  const unitRates = (units ?? []).map(({ unit, credits }): [string, string] => [
    unit,
    scaled(credits, UNIT_DECIMALS, `the price of ${unit.slice(0, 100)}`),
  ])
  const tierFactors = (serviceTiers ?? []).map(({ tier, factor }): [string, string] => [
    tier,
    scaled(factor, FACTOR_DECIMALS, `the factor of ${tier.slice(0, 100)}`),
  ])
  const of = alias.slice(0, 100)
  return {
    rates: ratesOf(rates),
    ...(inputTiers && inputTiers.length > 0 && { inputTiers: inputTiers.map(tierOf) }),
    ...(unitRates.length > 0 && { unitRates: byName(`units of ${of}`, unitRates) }),
    ...(tierFactors.length > 0 && { tierFactors: byName(`serviceTiers of ${of}`, tierFactors) }),
    ...(perCall != null && { callMicros: microsOf(perCall) }),
  }
}

function tierOf({ tokens, inclusive, ...rates }: InputTierInput): InputTier {
  return { tokens, inclusive: inclusive ?? false, rates: ratesOf(rates) }
}

function shownRates(rates: Rates): ShownRates {
  return Object.fromEntries(KINDS.map(([kind, name]) => [name, creditsOrNull(rates[kind])])) as ShownRates
}

function ratesOf(given: RatesInput): Rates {
  const rates: { [Kind in keyof Rates]?: string } = {}
  for (const [kind, name] of KINDS) {
    const credits = given[name]
    if (credits != null) rates[kind] = microsOf(credits)
  }
  return rates as Rates
}

function byName<Value>(field: string, entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  const values = new Map<string, Value>()
  for (const [name, value] of entries) {
    if (values.has(name)) throw apiError('BAD_USER_INPUT', `${field} names ${name.slice(0, 100)} twice`)
    values.set(name, value)
  }
  return Object.fromEntries(values)
}

function microsOf(credits: number): string {
  return creditsOf(credits).toString()
}

function creditsOrNull(micros: string | undefined): number | null {
  return micros === undefined ? null : creditsNumber(BigInt(micros))
}

/** The number times a power of ten, exactly. Its shortest decimal is what the caller wrote if that has few enough digits. */
export function scaled(value: number, decimals: number, what: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const zeros = Number(exponent) - fraction.length + decimals
  if (zeros < 0 && digits !== '')
    throw apiError('BAD_USER_INPUT', `${what} must have at most ${decimals} decimals, not ${value}`)
  if (digits.length > EXACT_DIGITS_MAX)
    throw apiError('BAD_USER_INPUT', `${what} must have at most ${EXACT_DIGITS_MAX} digits, not ${value}`)
  return digits === '' ? '0' : `${sign}${digits}${'0'.repeat(zeros)}`
}
