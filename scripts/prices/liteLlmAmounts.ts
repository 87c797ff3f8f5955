import type { Decimal } from './decimal.ts'
import { ExactNumber } from './exactJson.ts'
import type { LeftOut } from './importedPrice.ts'
import { COST_FIELD, REPEATING_FIELDS, SEARCH_FIELD } from './liteLlmFields.ts'

export type ListEntry = Readonly<Record<string, unknown>>

/** The prices of an entry by field, in dollars. */
export type Amounts = ReadonlyMap<string, Decimal>

/**
 * The amounts of the entry. Zero stands for a price that is not known, as in the list's own example. Fields that state
 * another one's price again are left out.
 */
export function amountsOf(name: string, entry: ListEntry, left: LeftOut[]): Amounts {
  const amounts = new Map<string, Decimal>()
  for (const [field, value] of Object.entries(entry)) {
    if (!COST_FIELD.test(field) || field === SEARCH_FIELD || value === null) continue
    if (value instanceof ExactNumber) {
      const amount = value.decimal(`${name}, ${field}`)
      if (amount.digits > 0n) amounts.set(field, amount)
    } else left.push({ field, reason: 'it is not a number' })
  }
  for (const [field, repeated] of Object.entries(REPEATING_FIELDS))
    if (isSame(amounts.get(field), amounts.get(repeated))) amounts.delete(field)
  return amounts
}

/**
 * The fee of a web search; null if there is none that holds for every search. Google charges some models by the prompt,
 * however often the model searches.
 */
export function searchFee(name: string, entry: ListEntry, left: LeftOut[]): Decimal | null {
  const fees = Object.values((entry[SEARCH_FIELD] ?? {}) as ListEntry).map((fee) =>
    fee instanceof ExactNumber ? fee.decimal(`${name}, ${SEARCH_FIELD}`) : null,
  )
  const [first] = fees
  if (first === undefined || fees.every((fee) => fee?.digits === 0n)) return null
  const provider = String(entry.litellm_provider)
  const isByPrompt = /^(?:gemini|vertex_ai)/.test(provider) && entry.web_search_billing_unit !== 'per_query'
  if (first !== null && !isByPrompt && fees.every((fee) => isSame(first, fee ?? undefined))) return first
  const reason = isByPrompt ? 'it is for a prompt, not for a search' : 'it depends on the size of the search'
  left.push({ field: SEARCH_FIELD, reason })
  return null
}

function isSame(one: Decimal | undefined, other: Decimal | undefined): boolean {
  if (one === undefined || other === undefined) return false
  const shift = one.exponent - other.exponent
  return shift >= 0
    ? one.digits * 10n ** BigInt(shift) === other.digits
    : one.digits === other.digits * 10n ** BigInt(-shift)
}
