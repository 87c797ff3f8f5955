import { grouped, only, type StoredEvent } from './events.ts'

/**
 * What the disputes of one payment have taken of its grant: the credits that the disputed money is worth, rounded down,
 * together at most what refunds and corrections leave. The newest report about each dispute counts.
 */
export function disputesWrong(own: readonly StoredEvent[], grantedMicros: bigint, leftMicros: bigint): string | null {
  const seen = grouped(only(own, 'PurchaseDisputeSeen', 'InvoiceDisputeSeen'), ({ data }) => data.disputeId)
  let due = 0n
  for (const reports of seen.values()) {
    const { report, chargedMinor, disputedMinor } = reports.reduce((a, b) =>
      b.data.report > a.data.report ? b : a,
    ).data
    if (reports.some(({ data }) => data.report === report && data.disputedMinor !== disputedMinor)) {
      return `report ${report} of one dispute is recorded in two ways`
    }
    due += shareOf(grantedMicros, BigInt(disputedMinor), BigInt(chargedMinor))
  }
  if (due > leftMicros) due = leftMicros
  const taken = takenByDisputes(own)
  return taken === due ? null : `disputes have taken ${taken}, and not ${due}`
}

/** What disputes have withdrawn, less what was given back. */
export function takenByDisputes(own: readonly StoredEvent[]): bigint {
  const sum = (events: readonly { readonly data: { readonly amountMicros: string } }[]) =>
    events.reduce((total, { data }) => total + BigInt(data.amountMicros), 0n)
  return (
    sum(only(own, 'PurchaseCreditsWithdrawn', 'InvoiceCreditsWithdrawn')) -
    sum(only(own, 'PurchaseCreditsReinstated', 'InvoiceCreditsReinstated'))
  )
}

/** The share of the credits that a part of the money has paid for. */
export function shareOf(credits: bigint, partMinor: bigint, chargedMinor: bigint): bigint {
  return partMinor >= chargedMinor ? credits : (credits * partMinor) / chargedMinor
}
