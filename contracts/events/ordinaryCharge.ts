import { UUID } from '../uuid.ts'
import { NON_NEGATIVE_MICROS } from './definition.ts'
import { CURRENCY } from './payment.ts'

/** The pattern of the schema tries leap days first, which takes several times as long. This one excludes them. */
const TIME_OUTSIDE_LEAP_DAYS =
  /^\d\d\d\d-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d\d\dZ$/
const CHARGE_FIELDS = 22
const LINE_FIELDS = 4
/** The rates that are optional. */
const PARTS = [
  ...['cachedInput', 'cacheWrite', 'cacheWrite1h', 'audioInput', 'imageInput'],
  ...['reasoning', 'audioOutput', 'imageOutput'],
]

type Fields = { readonly [name: string]: unknown }

/**
 * Recognises the data of an ordinary CallCharged, which then needs no check by the schema. Every call waits for the
 * check of its charge, and this takes half the time. Everything accepted here matches the schema.
 */
export function isOrdinaryCharge(data: unknown): boolean {
  if (!isObject(data)) return false
  const { price, lines } = data
  return (
    matches(UUID, data.companyId) &&
    matches(UUID, data.callId) &&
    matches(UUID, data.keyId) &&
    typeof data.alias === 'string' &&
    typeof data.endpoint === 'string' &&
    typeof data.streamed === 'boolean' &&
    matches(TIME_OUTSIDE_LEAP_DAYS, data.admittedAt) &&
    matches(TIME_OUTSIDE_LEAP_DAYS, data.finishedAt) &&
    isTokenCount(data.tokensIn) &&
    isTokenCount(data.tokensOut) &&
    matches(NON_NEGATIVE_MICROS, data.amountMicros) &&
    (data.label === null || typeof data.label === 'string') &&
    (data.provider === null || typeof data.provider === 'string') &&
    (data.costMicros === null || matches(NON_NEGATIVE_MICROS, data.costMicros)) &&
    (data.costCurrency === null || matches(CURRENCY, data.costCurrency)) &&
    (data.tokensCached === null || isTokenCount(data.tokensCached)) &&
    (data.tokensCacheWrite === null || isTokenCount(data.tokensCacheWrite)) &&
    (data.serviceTier === null || typeof data.serviceTier === 'string') &&
    (data.tierFactor === null || matches(NON_NEGATIVE_MICROS, data.tierFactor)) &&
    typeof data.abandoned === 'boolean' &&
    hasFields(CHARGE_FIELDS, data) &&
    isOrdinaryPrice(price) &&
    (lines === null || (Array.isArray(lines) && lines.every(isOrdinaryLine)))
  )
}

/** A line of which nothing was taken off. */
function isOrdinaryLine(line: unknown): boolean {
  return (
    isObject(line) &&
    typeof line.kind === 'string' &&
    isTokenCount(line.count) &&
    matches(NON_NEGATIVE_MICROS, line.rate) &&
    matches(NON_NEGATIVE_MICROS, line.amountMicros) &&
    hasFields(LINE_FIELDS, line)
  )
}

/** A price with rates of tokens only, and perhaps a fee for the call. */
function isOrdinaryPrice(price: unknown): boolean {
  if (!isObject(price) || !matches(UUID, price.bookId) || !isOrdinaryRates(price.rates)) return false
  if (price.callMicros === undefined) return hasFields(2, price)
  return matches(NON_NEGATIVE_MICROS, price.callMicros) && hasFields(3, price)
}

function isOrdinaryRates(rates: unknown): boolean {
  if (!isObject(rates)) return false
  let fields = 2
  for (const part of PARTS) {
    if (rates[part] === undefined) continue
    if (!matches(NON_NEGATIVE_MICROS, rates[part])) return false
    fields++
  }
  return (
    matches(NON_NEGATIVE_MICROS, rates.input) && matches(NON_NEGATIVE_MICROS, rates.output) && hasFields(fields, rates)
  )
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function matches(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value)
}

function isTokenCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Every field of the schema was found, so this count means that there are no others. */
function hasFields(count: number, value: Fields): boolean {
  let found = 0
  for (const _ in value) found++
  return found === count
}
