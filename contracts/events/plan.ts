import { z } from 'zod'
import { BILLING_MODES } from './company.ts'
import { type EventUnion, event, id, isoTime, positiveMicros } from './definition.ts'
import { providerId } from './payment.ts'
import { DUE_DAYS_DEFAULT, dueDays } from './postpaid.ts'

/** From nothing to everything. */
export const rolloverShare = z.string().regex(/^(0|[1-9]\d{0,5}|1000000)$/)

export const planEvents = {
  PlanCreated: event(
    3,
    z.strictObject({
      planId: id,
      name: z.string(),
      billingMode: z.enum(BILLING_MODES),
      /** In major units of the currency, as a decimal string: 10 usd is "10". */
      price: z.string(),
      currency: z.string(),
      creditsPerPeriodMicros: positiveMicros,
      /** The days until an invoice of a POSTPAID plan is due. */
      dueDays,
      /**
       * Which share of the credits that a period leaves unused lasts for the next period as well, in millionths; null if
       * credits of the plan do not expire.
       */
      rolloverShare: rolloverShare.nullable(),
      createdAt: isoTime,
    }),
    {
      upcasters: {
        1: (data) => ({ ...data, dueDays: DUE_DAYS_DEFAULT }),
        2: (data) => ({ ...data, rolloverShare: null }),
      },
    },
  ),
  /** The plan has a product and a recurring price at the payment provider. */
  PlanPriced: event(1, z.strictObject({ planId: id, productId: providerId, priceId: providerId, pricedAt: isoTime })),
  /** A new name or place among the plans; missing fields stay as they are. */
  PlanUpdated: event(
    1,
    z.strictObject({ planId: id, name: z.string().optional(), sortOrder: z.int().optional(), updatedAt: isoTime }),
  ),
  /** No longer for sale; existing subscribers keep it. */
  PlanRetired: event(1, z.strictObject({ planId: id, retiredAt: isoTime })),
}

export type PlanEvent = EventUnion<typeof planEvents>
