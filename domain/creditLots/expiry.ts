import type { LotView } from './lot.ts'

/** An event that the ledger needs. */
export type ExpiryDue = {
  readonly lotId: string
  readonly amountMicros: bigint
  /**
   * What such events of the lot have booked so far. With the lot it identifies the event: two processes that decide it at
   * once append it under one id, and the one after it has another.
   */
  readonly bookedMicros: bigint
}

/**
 * What has to expire of each lot by this moment. A call that was admitted before the expiry may still be charged while it
 * runs and is settled, so a lot waits that long: `settledWithinMs` is the longest call and its settlement. Credits that a
 * reversal restores to an expired lot are due again.
 */
export function expiriesDue(
  lots: Iterable<LotView>,
  { atMs, settledWithinMs }: { readonly atMs: number; readonly settledWithinMs: number },
): ExpiryDue[] {
  const due: ExpiryDue[] = []
  for (const { lotId, expiresAtMs, leftMicros, expiredMicros, owedMicros, givenBackMicros } of lots) {
    if (leftMicros === 0n || expiresAtMs === null || expiresAtMs + settledWithinMs > atMs) continue
    due.push({ lotId, amountMicros: leftMicros, bookedMicros: expiredMicros + owedMicros + givenBackMicros })
  }
  return due
}

/** What must be given back of each lot because a charge burned what was booked as expired. */
export function giveBacksDue(lots: Iterable<LotView>): ExpiryDue[] {
  const due: ExpiryDue[] = []
  for (const { lotId, owedMicros, givenBackMicros } of lots) {
    if (owedMicros > 0n) due.push({ lotId, amountMicros: owedMicros, bookedMicros: givenBackMicros })
  }
  return due
}
