/** A charge at the payment provider and how much of it was refunded so far, in minor units. */
export type RefundSoFar = { readonly chargedMinor: string; readonly refundedMinor: string }

/** The credits to take back for a refund: in proportion, rounded down; all of them once everything is refunded. */
export function creditsTakenBack(creditsMicros: bigint, { chargedMinor, refundedMinor }: RefundSoFar): bigint {
  const [charged, refunded] = [BigInt(chargedMinor), BigInt(refundedMinor)]
  return refunded >= charged ? creditsMicros : (creditsMicros * refunded) / charged
}
