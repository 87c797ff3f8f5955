import type { Position } from '../../../contracts/position.ts'

/** The categories of events by which a gateway decides whether a company may call. */
export const CHANGED_CATEGORIES = ['apiKey', 'company', 'ledger'] as const
export type ChangedCategory = (typeof CHANGED_CATEGORIES)[number]

/** The position of the last known change of a company, by category. */
export type ChangedPositions = Readonly<Partial<Record<ChangedCategory, Position>>>

/**
 * How long a change is kept at least. A view that lags more than this is not helped by waiting for a few seconds.
 */
export const CHANGE_KEPT_MS = 10 * 60_000

/**
 * The positions at which a backend last changed what a company may do: credits granted, a company resumed, a budget
 * raised. A gateway that would refuse a call compares them with its views. A change that is lost costs a refusal that is
 * right a moment later, so none of this is durable. `test/contract/companyChanges.ts` tests what all adapters guarantee.
 */
export interface CompanyChanges {
  /** An earlier position than the recorded one changes nothing. */
  record(companyId: string, category: ChangedCategory, position: Position): Promise<void>
  /** Throws if the shared state does not answer. */
  read(companyId: string): Promise<ChangedPositions>
}
