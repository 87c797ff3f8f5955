import type { AliasPrice, Rates } from '../../contracts/events/pricing.ts'
import { type Decimal, times, wholeUnits } from './decimal.ts'
import { type ImportedPrice, type LeftOut, PER_CALL_EXPONENT, PER_UNIT_EXPONENT } from './importedPrice.ts'
import { type Amounts, amountsOf, type ListEntry, searchFee } from './liteLlmAmounts.ts'
import { CALL_FIELD, rateField, SEARCH_UNIT, UNIT_FIELDS } from './liteLlmFields.ts'
import { type ListedRate, type ListedRates, listedFactors, listedTiers, usualRates } from './liteLlmTiers.ts'

/** Kinds of models that are charged by tokens. */
const TOKEN_MODES = new Set(['chat', 'completion', 'responses', 'embedding'])
/** Kinds of models that may be charged by units alone: without a price, their tokens cost nothing. */
const UNIT_MODES = new Set(['image_generation', 'audio_transcription', 'audio_speech'])

const NOTHING: Decimal = { digits: 0n, exponent: 0 }

/** The price of an entry of LiteLLM's list, multiplied by the factor; or why it has none. */
export function liteLlmPrice(name: string, entry: ListEntry, factor: Decimal): ImportedPrice | { missing: string } {
  const mode = String(entry.mode)
  if (!TOKEN_MODES.has(mode) && !UNIT_MODES.has(mode))
    return { missing: `${name} is of kind ${mode}, whose prices cannot be imported` }
  const micros = (amount: Decimal, exponent: number) => wholeUnits(times(amount, factor), exponent).toString()
  const left: LeftOut[] = []
  const amounts = amountsOf(name, entry, left)
  const unitRates: Record<string, string> = {}
  for (const [field, amount] of amounts) {
    if (rateField(field) || field === CALL_FIELD) continue
    const unit = unitOf(field, mode, amounts)
    if ('reason' in unit) left.push({ field, ...unit })
    else unitRates[unit.unit] = micros(amount, PER_UNIT_EXPONENT + unit.unitsExponent)
  }
  const search = searchFee(name, entry, left)
  if (search) unitRates[SEARCH_UNIT] = micros(search, PER_UNIT_EXPONENT)
  const hasUnits = Object.keys(unitRates).length > 0

  const listed = ratesOf(amounts)
  const usual = completed(usualRates(listed), mode, hasUnits)
  const lacking = ['input', 'output'].find((kind) => !(kind in usual))
  if (lacking !== undefined) return { missing: `${name} has no ${lacking}_cost_per_token above zero${besides(left)}` }
  const inMicros = (rates: ListedRates) =>
    Object.fromEntries(Object.entries(rates).map(([kind, rate]) => [kind, micros(rate, PER_UNIT_EXPONENT)])) as Rates
  const tiers = listedTiers(listed, left).map(({ above, rates }) => {
    // Kinds that the list does not name for larger input cost as in any other.
    return { tokens: above, inclusive: false, rates: inMicros({ ...usual, ...rates }) }
  })
  const tierFactors = listedFactors(listed, left)
  const perCall = amounts.get(CALL_FIELD)
  const price: AliasPrice = {
    rates: inMicros(usual),
    ...(tiers.length > 0 && { inputTiers: tiers }),
    ...(hasUnits && { unitRates }),
    ...(Object.keys(tierFactors).length > 0 && { tierFactors }),
    ...(perCall !== undefined && { callMicros: micros(perCall, PER_CALL_EXPONENT) }),
  }
  return { price, from: name, left: left.toSorted((a, b) => (a.field < b.field ? -1 : 1)) }
}

function ratesOf(amounts: Amounts): ListedRate[] {
  return [...amounts].flatMap(([field, amount]) => {
    const rate = rateField(field)
    return rate ? [{ ...rate, field, amount }] : []
  })
}

function besides(left: readonly LeftOut[]): string {
  return left.length > 0 ? `, and what it has cannot be imported: ${left.map(({ field }) => field).join(', ')}` : ''
}

/** The unit that a field is the price of, or why there is none. */
function unitOf(field: string, mode: string, amounts: Amounts) {
  const unit = UNIT_FIELDS[field]
  if (unit === undefined || !(unit.modes?.includes(mode) ?? true)) return { reason: 'there is no such rate' }
  if (unit.instead !== undefined && amounts.has(unit.instead)) return { reason: `${unit.instead} is used instead` }
  return unit
}

/** With the rates that an entry of this kind need not have. Models for embeddings answer with no tokens. */
function completed(rates: ListedRates, mode: string, hasUnits: boolean): ListedRates {
  if (mode === 'embedding') return { output: NOTHING, ...rates }
  const isByUnits = UNIT_MODES.has(mode) && hasUnits && Object.keys(rates).length === 0
  return isByUnits ? { input: NOTHING, output: NOTHING } : rates
}
