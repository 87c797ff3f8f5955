import { z } from 'zod'
import { id, positiveMicros } from './definition.ts'
import { currency } from './payment.ts'

/** A calendar month in UTC, as YYYY-MM. */
export const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
export const month = z.string().regex(MONTH)

export const signedOrZeroMicros = z.string().regex(/^(0|-?[1-9]\d{0,27})$/)
const signedMinor = z.string().regex(/^(0|-?[1-9]\d{0,17})$/)

export const DUE_DAYS_MAX = 365
export const DUE_DAYS_DEFAULT = 14
export const dueDays = z.int().min(1).max(DUE_DAYS_MAX)

/** The price of a credit is that of the plan divided by its credits. */
export const postpaidTerms = z.strictObject({
  planId: id,
  /** In major units of the currency, as a decimal string. */
  price: z.string(),
  currency,
  creditsPerPeriodMicros: positiveMicros,
  dueDays,
})
export type PostpaidTerms = z.infer<typeof postpaidTerms>

/**
 * USAGE: the calls of one alias. PREPAID: credits that were left at the beginning of the range or granted within it, which are
 * negative, or an amount too small for an earlier invoice. REFUND: granted credits that were taken back.
 */
export const INVOICE_LINE_KINDS = ['USAGE', 'PREPAID', 'REFUND', 'ADJUSTMENT'] as const

export const invoiceLine = z.strictObject({
  kind: z.enum(INVOICE_LINE_KINDS),
  /** null unless it is a line about calls. */
  alias: z.string().nullable(),
  /** Calls and tokens less reversed ones; negative if more of an earlier range was reversed. */
  calls: z.int(),
  tokensIn: z.int(),
  tokensOut: z.int(),
  creditsMicros: signedOrZeroMicros,
  amountMinor: signedMinor,
})
export type InvoiceLine = z.infer<typeof invoiceLine>
