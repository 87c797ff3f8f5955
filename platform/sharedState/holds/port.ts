import type { Position } from '../../../contracts/position.ts'

/** How long the holds of a gateway outlive it: longer than a sent charge can take to be stored. */
export const HOLD_LEASE_MS = 15_000

/** A call of a gateway, with the most that it may cost. */
export type HoldRequest = {
  /** The gateway, under the name that it last entered with. */
  readonly owner: string
  readonly companyId: string
  readonly holdId: string
  readonly amountMicros: bigint
  /** The company's balance in the gateway's view, and the ledger position of that view. */
  readonly balanceMicros: bigint
  readonly position: Position
  /** The call was held before, but the table lost the hold. */
  readonly isBroughtBack?: boolean
}

export type HoldAnswer =
  | {
      readonly outcome: 'held'
      /** Owners with an expired lease that still have holds of this company. */
      readonly lapsed: readonly string[]
    }
  | {
      /** What is left of the balance does not cover the amount. */
      readonly outcome: 'refused'
      readonly heldMicros: bigint
      /** Charges after the position of the view. */
      readonly unseenMicros: bigint
      readonly lapsed: readonly string[]
    }
  /** The table no longer has all charges that this view lacks: the view must first reach the floor. */
  | { readonly outcome: 'behind'; readonly floor: Position }
  /** The owner's own lease has expired: it must enter again. */
  | { readonly outcome: 'lapsed' }
  /** The table may have lost holds: nothing is admitted until living owners have restored theirs. */
  | { readonly outcome: 'closed'; readonly opensInMs: number }
  /** That time is up, and the table needs the current head of the ledger: see `reopen`. */
  | { readonly outcome: 'headNeeded' }

export type HeldCall = { readonly owner: string; readonly companyId: string; readonly holdId: string }
export type SettledCall = HeldCall & { readonly position: Position; readonly amountMicros: bigint }

/**
 * The maximum cost of the calls in flight over all gateways, so that a company with a hard cap never spends more than it
 * has.
 *
 * A call is held if its amount is covered by balance − holds − charges after the position of the view. Its hold ends
 * either as a charge at a ledger position, which counts for every view before that position, or as nothing. Views may
 * lag and differ: every charge is held, recorded here, or part of the balance in the view.
 *
 * An expired lease of an owner is never renewed. Its holds count until another gateway, which has read the head of the
 * ledger after the expiry, reaps them: everything that the owner had sent lies before that head.
 *
 * `test/contract/holds.ts` tests what all adapters guarantee. Every method except enter and renew is idempotent.
 */
export interface HoldTable {
  enter(owner: string): Promise<void>
  /** False if the lease has expired or the table has lost the owner. */
  renew(owner: string): Promise<boolean>
  /** If the owner already holds this id, the amount is replaced, provided that the rest covers the new one. */
  place(request: HoldRequest): Promise<HoldAnswer>
  /** Like release, it ends only a hold of this owner: another owner may have the call by now. */
  settle(call: SettledCall): Promise<void>
  release(call: HeldCall): Promise<void>
  /** Counts the holds of a lapsed owner as charged at this position, which was read after the lease had expired. */
  reap(companyId: string, owner: string, head: Position): Promise<void>
  /** Supplies the head of the ledger that the outcome `headNeeded` asks for. */
  reopen(head: Position): Promise<void>
}

export type HoldTimes = { readonly leaseMs: number; readonly settledKeptMs: number }
