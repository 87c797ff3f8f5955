import { z } from 'zod'
import { PRICE_LEAD_MS, PRICE_NOTICE_MS } from '../priceLead.ts'
import { type EventUnion, event, id, isoTime, nonNegativeMicros } from './definition.ts'

/**
 * What an alias costs the caller. Per million tokens, because a token often costs less than a millionth of a credit.
 * Cached input and cache writes without a rate cost the same as other input; without `perCallMicros` there is no fee.
 */
export const rates = {
  inputMicrosPerMillionTokens: nonNegativeMicros,
  cachedInputMicrosPerMillionTokens: nonNegativeMicros.optional(),
  cacheWriteMicrosPerMillionTokens: nonNegativeMicros.optional(),
  outputMicrosPerMillionTokens: nonNegativeMicros,
  perCallMicros: nonNegativeMicros.optional(),
}
export const aliasPrice = z.strictObject(rates)
export type AliasPrice = z.infer<typeof aliasPrice>

export const pricingEvents = {
  /** Changes the prices of the aliases that it names. Others keep theirs, except in books that replace all prices. */
  PriceBookPublished: event(
    2,
    z.strictObject({
      bookId: id,
      /** The company whose prices it changes; null for the prices of all companies. */
      companyId: id.nullable(),
      /** A book that was stored too late for gateways to know it by then takes effect later, see `inForceOnceKnown`. */
      effectiveFrom: isoTime,
      prices: z.record(z.string(), aliasPrice),
      /** Aliases without a price in this stream from then on. A company then pays the common price again. */
      retired: z.array(z.string()),
      /** True only in books of version 1: aliases that they do not name have no price from then on. */
      replacesAll: z.boolean(),
      publishedAt: isoTime,
    }),
    {
      upcasters: { 1: (data) => ({ ...data, companyId: null, retired: [], replacesAll: true }) },
      asRecorded: inForceOnceKnown,
    },
  ),
}

export type PricingEvent = EventUnion<typeof pricingEvents>

/**
 * Between the decision and the moment when its event is stored, gateways charge by the prices before. A book without the
 * lead time names only aliases that had no price, so it can begin in the past.
 */
function inForceOnceKnown(book: Record<string, unknown>, recordedAt: string): Record<string, unknown> {
  const { effectiveFrom, publishedAt } = book as { readonly effectiveFrom: string; readonly publishedAt: string }
  if (Date.parse(effectiveFrom) < Date.parse(publishedAt) + PRICE_LEAD_MS) return book
  const known = new Date(Date.parse(recordedAt) + PRICE_NOTICE_MS).toISOString()
  return effectiveFrom < known ? { ...book, effectiveFrom: known } : book
}
