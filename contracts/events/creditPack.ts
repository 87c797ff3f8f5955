import { z } from 'zod'
import { type EventUnion, event, id, isoTime, positiveMicros } from './definition.ts'
import { providerId } from './payment.ts'

export const VALID_DAYS_MAX = 3_650
export const validDays = z.int().min(1).max(VALID_DAYS_MAX)

export const creditPackEvents = {
  CreditPackCreated: event(
    2,
    z.strictObject({
      packId: id,
      name: z.string(),
      creditsMicros: positiveMicros,
      /** In major units of the currency, as a decimal string: 10 usd is "10". */
      price: z.string(),
      currency: z.string(),
      sortOrder: z.int(),
      /** How many days after the payment the credits can be used; null if they do not expire. */
      validDays: validDays.nullable(),
      createdAt: isoTime,
    }),
    { upcasters: { 1: (data) => ({ ...data, validDays: null }) } },
  ),
  /** The pack has a product and a price at the payment provider, so it can be bought. */
  CreditPackPriced: event(
    1,
    z.strictObject({ packId: id, productId: providerId, priceId: providerId, pricedAt: isoTime }),
  ),
  /** A new name or place among the packs; missing fields stay as they are. */
  CreditPackUpdated: event(
    1,
    z.strictObject({ packId: id, name: z.string().optional(), sortOrder: z.int().optional(), updatedAt: isoTime }),
  ),
  /** No longer for sale; purchases that were already started can still be paid. */
  CreditPackRetired: event(1, z.strictObject({ packId: id, retiredAt: isoTime })),
}

export type CreditPackEvent = EventUnion<typeof creditPackEvents>
