import type { Position } from '../../../../contracts/position.ts'

/** How long the holds of a gateway outlive it. Longer than a charge that it had sent can take to land. */
export const HOLD_LEASE_MS = 15_000

/** One call of one gateway, and what it may cost at most. */
export type HoldRequest = {
  /** The gateway, under the name that it entered with last. */
  readonly owner: string
  readonly companyId: string
  readonly holdId: string
  readonly amountMicros: bigint
  /** What the company has by the view of whoever asks, and how far on the ledger that view has come. */
  readonly balanceMicros: bigint
  readonly position: Position
  /** It was held before, and the table lost it. */
  readonly isBroughtBack?: boolean
}

export type HoldAnswer =
  | {
      readonly outcome: 'held'
      /** Owners whose lease is over, and which still hold something of this company. */
      readonly lapsed: readonly string[]
    }
  | {
      /** What is left of the balance does not cover the amount. */
      readonly outcome: 'refused'
      readonly heldMicros: bigint
      /** Charged beyond the view's position. */
      readonly unseenMicros: bigint
      readonly lapsed: readonly string[]
    }
  /** Charges that this view has not seen are no longer remembered: it must first come as far as the floor. */
  | { readonly outcome: 'behind'; readonly floor: Position }
  /** The owner's own lease is over: it must enter anew. */
  | { readonly outcome: 'lapsed' }
  /** The table may have lost holds: nothing is admitted until those who live have brought theirs back. */
  | { readonly outcome: 'closed'; readonly opensInMs: number }
  /** The same, and that time is over: it must be told how far the ledger has come by now. */
  | { readonly outcome: 'unfounded' }

export type HeldCall = { readonly owner: string; readonly companyId: string; readonly holdId: string }
export type SettledCall = HeldCall & { readonly position: Position; readonly amountMicros: bigint }

/**
 * What the calls in flight may cost, over all gateways, so that a company with a hard cap never spends more than it has.
 *
 * A call is held if balance − holds − charges beyond the view's position cover its amount. Its hold ends as a charge at a
 * ledger position, which goes on counting for every view that has not come so far, or as nothing. Views may lag and
 * differ: what is charged is always either held, remembered here, or in the balance of whoever asks.
 *
 * An owner's lease is never renewed once it is over. What it held goes on counting until somebody, who has read the end
 * of the ledger after that, says so: whatever the owner had sent stands before that end.
 *
 * `test/contract/holds.ts` says what each adapter promises; every method but those of time is idempotent.
 */
export interface HoldTable {
  enter(owner: string): Promise<void>
  /** False: the lease is over, or the table does not know the owner any more. */
  renew(owner: string): Promise<boolean>
  /** For an id that its owner holds already the amount is replaced, if the rest covers the new one. */
  place(request: HoldRequest): Promise<HoldAnswer>
  /** This and the next end only what this owner holds: the call may be another one's by now. */
  settle(call: SettledCall): Promise<void>
  release(call: HeldCall): Promise<void>
  /** What a lapsed owner held counts as charged at this position, which was read after its lease was found over. */
  reap(companyId: string, owner: string, head: Position): Promise<void>
  /** Answers `unfounded`. */
  found(head: Position): Promise<void>
}

export type HoldTimes = { readonly leaseMs: number; readonly settledKeptMs: number }
