/** A charge at the payment provider, and what of it was paid back so far, in minor units. */
export type RefundSoFar = { readonly chargedMinor: string; readonly refundedMinor: string }

/** The credits that go back with the money: in proportion, rounded down, all of them with the last cent. */
export function creditsTakenBack(creditsMicros: bigint, { chargedMinor, refundedMinor }: RefundSoFar): bigint {
  const [charged, refunded] = [BigInt(chargedMinor), BigInt(refundedMinor)]
  return refunded >= charged ? creditsMicros : (creditsMicros * refunded) / charged
}

/** Amounts are cumulative, so the largest says it all, whenever it comes. */
export function isMoreThan(refund: RefundSoFar, seen: RefundSoFar | null): boolean {
  return BigInt(refund.refundedMinor) > BigInt(seen?.refundedMinor ?? '0')
}
