import { creditsTakenBack } from './refund.ts'

/** How much of a payment a dispute takes. */
export type DisputedMoney = {
  readonly disputeId: string
  readonly chargedMinor: string
  /** "0" once the dispute was won or withdrawn. */
  readonly disputedMinor: string
}

/** A dispute of the payment for a grant, and the credits that it has withdrawn. */
export type DisputeEntry = DisputedMoney & {
  /** Counts what is known about the dispute: a report with a smaller number is outdated. */
  readonly report: number
  readonly withdrawnMicros: bigint
  readonly reinstatedMicros: bigint
  readonly withdrawals: number
}

/** What a dispute takes of a payment, at one moment. */
export type SeenDispute = DisputedMoney & { readonly report: number; readonly saidAt: string }

export type Withdrawal = {
  readonly disputeId: string
  /** Counts the withdrawals of the dispute from 1. */
  readonly withdrawal: number
  readonly amountMicros: string
  readonly withdrawnAt: string
}

export type Reinstatement = {
  readonly disputeId: string
  readonly amountMicros: string
  /** What was given back to the dispute's grant before. */
  readonly reinstatedBeforeMicros: string
  readonly reinstatedAt: string
}

export type DisputeGrantEvent =
  | { readonly type: 'DisputeSeen'; readonly data: SeenDispute }
  | { readonly type: 'CreditsWithdrawn'; readonly data: Withdrawal }
  | { readonly type: 'CreditsReinstated'; readonly data: Reinstatement }

export function evolveDisputes(before: readonly DisputeEntry[], event: DisputeGrantEvent): readonly DisputeEntry[] {
  const { disputeId } = event.data
  const entry = before.find((one) => one.disputeId === disputeId)
  const others = before.filter((one) => one !== entry)
  return [...others, evolveEntry(entry, event)].toSorted((a, b) => (a.disputeId < b.disputeId ? -1 : 1))
}

function evolveEntry(entry: DisputeEntry | undefined, event: DisputeGrantEvent): DisputeEntry {
  if (event.type === 'DisputeSeen') {
    const { disputeId, report, chargedMinor, disputedMinor } = event.data
    const seen = { disputeId, report, chargedMinor, disputedMinor }
    return { withdrawnMicros: 0n, reinstatedMicros: 0n, withdrawals: 0, ...entry, ...seen }
  }
  if (!entry) throw new Error(`${event.type} of dispute ${event.data.disputeId}, which was not seen`)
  const amount = BigInt(event.data.amountMicros)
  return event.type === 'CreditsWithdrawn'
    ? { ...entry, withdrawnMicros: entry.withdrawnMicros + amount, withdrawals: event.data.withdrawal }
    : { ...entry, reinstatedMicros: entry.reinstatedMicros + amount }
}

/** The net amount that the disputes have taken. */
export function takenByDisputes(disputes: readonly DisputeEntry[]): bigint {
  return disputes.reduce((sum, entry) => sum + takenBy(entry), 0n)
}

export type Settling = { readonly reinstated: DisputeGrantEvent[]; readonly withdrawn: DisputeGrantEvent[] }

/**
 * Adjusts what the disputes have taken to what they should: the credits that the disputed money is worth, together at most
 * `leftMicros`, which is what refunds and corrections leave of the grant.
 */
export function settleDisputes(
  disputes: readonly DisputeEntry[],
  {
    grantedMicros,
    leftMicros,
    at,
  }: { readonly grantedMicros: bigint; readonly leftMicros: bigint; readonly at: string },
): Settling {
  const settling: Settling = { reinstated: [], withdrawn: [] }
  let left = leftMicros
  for (const entry of disputes) {
    const { disputeId, withdrawals, reinstatedMicros } = entry
    const worth = worthOf(entry, grantedMicros)
    const due = worth < left ? worth : left
    left -= due
    const taken = takenBy(entry)
    if (due > taken) {
      const data = { disputeId, withdrawal: withdrawals + 1, amountMicros: String(due - taken), withdrawnAt: at }
      settling.withdrawn.push({ type: 'CreditsWithdrawn', data })
    }
    if (due < taken) {
      const amounts = { amountMicros: String(taken - due), reinstatedBeforeMicros: String(reinstatedMicros) }
      settling.reinstated.push({ type: 'CreditsReinstated', data: { disputeId, ...amounts, reinstatedAt: at } })
    }
  }
  return settling
}

function takenBy({ withdrawnMicros, reinstatedMicros }: DisputeEntry): bigint {
  return withdrawnMicros - reinstatedMicros
}

/** The credits that the disputed money is worth. */
export function worthOf({ chargedMinor, disputedMinor }: DisputedMoney, grantedMicros: bigint): bigint {
  return disputedMinor === '0' ? 0n : creditsTakenBack(grantedMicros, { chargedMinor, refundedMinor: disputedMinor })
}
