import { z } from 'zod'
import { type EventUnion, event, id, isoTime, positiveMicros } from './definition.ts'

export const creditPackEvents = {
  CreditPackCreated: event(
    1,
    z.strictObject({
      packId: id,
      name: z.string(),
      creditsMicros: positiveMicros,
      /** In major units of the currency, as a decimal string: 10 usd is "10". */
      price: z.string(),
      currency: z.string(),
      sortOrder: z.int(),
      createdAt: isoTime,
    }),
  ),
}

export type CreditPackEvent = EventUnion<typeof creditPackEvents>
