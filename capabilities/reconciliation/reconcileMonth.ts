import { monthAfter, monthOf } from '../../domain/postpaid/month.ts'
import { type Clock, isoTime } from '../../platform/clock/clock.ts'
import { type CostTotals, costsByProvider } from '../../projections/dailyMargins/queries.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import type { PaymentLists } from '../payments/paymentLists.ts'
import { type ShownFinding, withExplanations } from './explainedFindings.ts'
import { type ReconcileOptions, type Reconciliation, reconcile } from './reconcile.ts'
import { sourcesOf } from './sources.ts'

export type MonthParts = { readonly database: Sql; readonly lists: PaymentLists; readonly clock: Pick<Clock, 'now'> }

export type ReconciledMonth = Omit<Reconciliation, 'differences' | 'explained'> & {
  readonly differences: readonly ShownFinding[]
  readonly explained: readonly ShownFinding[]
  readonly hasEnded: boolean
  readonly costs: readonly CostTotals[]
}

/** Payments and refunds compared with the ledgers, and the revenue and cost of the month's calls. */
export async function reconcileMonth(
  { database, lists, clock }: MonthParts,
  month: string,
  options: ReconcileOptions = {},
): Promise<ReconciledMonth> {
  const reconciled = await withExplanations(database, await reconcile(sourcesOf(database, lists), month, options))
  const lastDay = isoTime(Date.parse(`${monthAfter(month)}-01T00:00:00.000Z`) - 1).slice(0, 10)
  const costs = await costsByProvider(database, `${month}-01`, lastDay)
  return { ...reconciled, hasEnded: month < monthOf(isoTime(clock.now())), costs }
}
