import type { Position } from '../../../contracts/position.ts'

/** The categories of events that decide whether a gateway lets a company call. */
export const CHANGED_CATEGORIES = ['apiKey', 'company', 'ledger'] as const
export type ChangedCategory = (typeof CHANGED_CATEGORIES)[number]

/** The position of the last known change of a company, by category. */
export type ChangedPositions = Readonly<Partial<Record<ChangedCategory, Position>>>

/** The minimum time that a change is kept. Waiting a few seconds would not help a view that lags more than this. */
export const CHANGE_KEPT_MS = 10 * 60_000

/**
 * The positions at which a backend last changed what a company may do: credits granted, a company resumed, a budget
 * raised. A gateway that would refuse a call compares them with its views. A lost change only causes a refusal that was
 * correct a moment earlier, so none of this is durable. `test/contract/companyChanges.ts` tests what all adapters
 * guarantee.
 */
export interface CompanyChanges {
  /** A position before the recorded one has no effect. */
  record(companyId: string, category: ChangedCategory, position: Position): Promise<void>
  /** Throws if the shared state does not answer. */
  read(companyId: string): Promise<ChangedPositions>
}
