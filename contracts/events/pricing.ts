import { z } from 'zod'
import { type EventUnion, event, id, isoTime, nonNegativeMicros } from './definition.ts'

/**
 * What an alias costs the caller. Per million tokens, because a token often costs less than a millionth of a credit.
 * Cached input and cache writes without a rate cost as much as other input; without `perCallMicros` there is no fee.
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
  PriceBookPublished: event(
    1,
    z.strictObject({
      bookId: id,
      effectiveFrom: isoTime,
      prices: z.record(z.string(), aliasPrice),
      publishedAt: isoTime,
    }),
  ),
}

export type PricingEvent = EventUnion<typeof pricingEvents>
