import { z } from 'zod'
import { BILLING_MODES } from './company.ts'
import { type EventUnion, event, id, isoTime, positiveMicros } from './definition.ts'

export const planEvents = {
  PlanCreated: event(
    1,
    z.strictObject({
      planId: id,
      name: z.string(),
      billingMode: z.enum(BILLING_MODES),
      /** In major units of the currency, as a decimal string: 10 usd is "10". */
      price: z.string(),
      currency: z.string(),
      creditsPerPeriodMicros: positiveMicros,
      createdAt: isoTime,
    }),
  ),
}

export type PlanEvent = EventUnion<typeof planEvents>
