import { z } from 'zod'
import type { DisputeFacts, DisputeStatus } from '../../contracts/events/dispute.ts'
import { chargeObject, reference, seconds, timeOrNull } from './providerObjects.ts'

/** The fields that we read of a dispute of the provider. */
export const disputeObject = z.object({
  id: z.string(),
  amount: z.int().nonnegative(),
  currency: z.string(),
  status: z.string(),
  reason: z.string().nullish(),
  charge: reference,
  payment_intent: reference,
  created: seconds,
  evidence_details: z.object({ due_by: seconds.nullish() }).nullish(),
})
export type DisputeObject = z.infer<typeof disputeObject>

/** As the list has it. The charge is an id if the provider no longer keeps it in full. */
export const disputeWithCharge = disputeObject.extend({ charge: z.union([z.string(), chargeObject]).nullish() })
export type DisputeWithCharge = z.infer<typeof disputeWithCharge>

/** With "warning", a cardholder's bank only inquires. `prevented` and `charge_refunded` end a dispute without a decision. */
const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: 'NEEDS_RESPONSE',
  warning_under_review: 'UNDER_REVIEW',
  warning_closed: 'WITHDRAWN',
  needs_response: 'NEEDS_RESPONSE',
  under_review: 'UNDER_REVIEW',
  won: 'WON',
  lost: 'LOST',
  prevented: 'WITHDRAWN',
  charge_refunded: 'WITHDRAWN',
}

/** A status that is not known yet counts as open, because it does not say that the money comes back. */
type Described = Omit<DisputeObject, 'charge'>

export function disputeFactsOf({ status, amount, currency, reason, evidence_details }: Described): DisputeFacts {
  return {
    status: STATUSES[status] ?? 'UNDER_REVIEW',
    isInquiry: status.startsWith('warning_'),
    amountMinor: String(amount),
    currency,
    reason: reason ?? 'general',
    respondBy: timeOrNull(evidence_details?.due_by),
  }
}
