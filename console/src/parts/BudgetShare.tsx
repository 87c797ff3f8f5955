import { Bar } from './charts/Bar.tsx'
import { type BudgetAmount, periodName } from './values/budgets.ts'
import { microsOf } from './values/credits.ts'
import { Money } from './values/Money.tsx'

type Props = {
  /** `spent`: credits in its current period; undefined if it is not known. */
  readonly of: (BudgetAmount & { readonly spent?: number | undefined }) | null
}

/** A budget, and how much of it is spent. */
export function BudgetShare({ of: budget }: Props) {
  if (!budget) return <span className="muted">None</span>
  const { credits, period, spent } = budget
  return (
    <div>
      <div className="small">
        {spent !== undefined && (
          <>
            <Money micros={microsOf(spent)} short /> of{' '}
          </>
        )}
        <Money micros={microsOf(credits)} short /> <span className="muted nowrap">{periodName(period)}</span>
      </div>
      {spent !== undefined && <Bar label="Share of the budget spent" share={spent / credits} />}
    </div>
  )
}
