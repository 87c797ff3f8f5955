import type { BillingMode, CreateCreditPackInput, CreatePlanInput } from '../../graphql/generated.ts'

export type OfferKind = 'pack' | 'plan'

/** The fields of the dialogs for packs and plans, as typed. */
export type OfferDraft = {
  readonly name: string
  readonly credits: string
  readonly price: string
  readonly currency: string
  /** Of a pack; empty: its credits do not expire. */
  readonly validDays: string
  /** Of a plan: which percentage of unused credits rolls over; empty: they do not expire. */
  readonly rolloverPercent: string
  /** Of a plan. */
  readonly billingMode: BillingMode
}

export const NEW_OFFER: OfferDraft = {
  ...{ name: '', credits: '', price: '', currency: 'usd' },
  ...{ validDays: '', rolloverPercent: '', billingMode: 'PREPAID' },
}

export const VALID_DAYS_MAX = 3_650

export type OfferFaults = Partial<Record<keyof OfferDraft, string>>

/** Why an offer cannot be created, by field. The backend knows which decimals a currency has. */
export function offerFaults(kind: OfferKind, draft: OfferDraft): OfferFaults {
  const { name, credits, price, currency, validDays } = draft
  const days = Number(validDays)
  const areDays = validDays.trim() === '' || (Number.isInteger(days) && days >= 1 && days <= VALID_DAYS_MAX)
  return {
    ...(name.trim() === '' && { name: 'Give it a name: customers see it.' }),
    ...(!isDecimal(credits, 6) && { credits: 'Enter a number of credits, with up to six decimals.' }),
    ...(!isDecimal(price, 3) && { price: 'Enter a price, such as 10 or 9.50.' }),
    ...(!/^[a-z]{3}$/.test(currencyOf(currency)) && { currency: 'Enter a code of three letters, such as usd.' }),
    ...(kind === 'pack' && !areDays && { validDays: `Enter a whole number from 1 to ${VALID_DAYS_MAX}, or nothing.` }),
    ...(kind === 'plan' &&
      shareOf(draft) === undefined && { rolloverPercent: 'Enter a number from 0 to 100, or nothing.' }),
  }
}

export function packInput(draft: OfferDraft, sortOrder: number): CreateCreditPackInput {
  const { name, credits, price, currency, validDays } = draft
  return {
    ...{ name: name.trim(), credits: Number(credits), price: Number(price), currency: currencyOf(currency), sortOrder },
    validDays: validDays.trim() === '' ? null : Number(validDays),
  }
}

export function planInput(draft: OfferDraft, sortOrder: number): CreatePlanInput {
  const { name, credits, price, currency, billingMode } = draft
  return {
    ...{ name: name.trim(), billingMode, price: Number(price), currency: currencyOf(currency), sortOrder },
    creditsPerPeriod: Number(credits),
    rolloverShare: shareOf(draft) ?? null,
  }
}

/** null: credits do not expire; undefined: it is not a percentage. */
function shareOf({ billingMode, rolloverPercent }: OfferDraft): number | null | undefined {
  if (billingMode === 'POSTPAID' || rolloverPercent.trim() === '') return null
  const percent = Number(rolloverPercent)
  if (!/^\d+(\.\d{1,4})?$/.test(rolloverPercent.trim()) || percent > 100) return undefined
  // A share has six decimals, which a division may miss.
  return Number((percent / 100).toFixed(6))
}

function isDecimal(text: string, decimals: number): boolean {
  return new RegExp(`^\\d+(\\.\\d{1,${decimals}})?$`).test(text.trim()) && Number(text) > 0
}

function currencyOf(typed: string): string {
  return typed.trim().toLowerCase()
}

/** The place after all offers that are for sale. */
export function nextPlace(offers: readonly { readonly sortOrder: number }[]): number {
  return Math.max(0, ...offers.map(({ sortOrder }) => sortOrder)) + 1
}
