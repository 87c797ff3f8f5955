import { nowMs } from '../../api/now.ts'
import { type Change, ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Price } from '../../parts/values/Price.tsx'
import { Time } from '../../parts/values/Time.tsx'
import type { Plan, Subscription } from './billingWords.ts'
import { planChange } from './planChange.ts'

type Props = {
  readonly to: Plan
  /** The plan of the running subscription; undefined if it is not known any more. */
  readonly from: Plan | undefined
  readonly running: Subscription
  readonly change: Change
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Says what is paid and granted now, and what from the next period on. */
export function ChangePlanDialog({ to, from, running, ...dialog }: Props) {
  return (
    <ConfirmDialog title={`Change to “${to.name}”?`} action="Change the plan" {...dialog}>
      <Now to={to} from={from} running={running} />
      <p>
        {running.currentPeriodEnd ? (
          <>
            From <Time at={running.currentPeriodEnd} /> on
          </>
        ) : (
          'From the next period on'
        )}{' '}
        it costs <Price amount={to.price} currency={to.currency} /> and grants {to.creditsPerPeriod.toLocaleString()}{' '}
        credits each month.
      </p>
    </ConfirmDialog>
  )
}

function Now({ to, from, running: { currentPeriodEnd, status } }: Pick<Props, 'to' | 'from' | 'running'>) {
  if (!from || !currentPeriodEnd || status === 'TRIALING') {
    return (
      <p>
        A plan that costs more and grants at least as many credits starts at once, and the rest of the period is
        prorated. Any other plan starts with the next period; until then you can undo the change.
      </p>
    )
  }
  const change = planChange(from, to, currentPeriodEnd, nowMs())
  if (change.starts === 'next period') {
    return <p>Nothing is paid or granted now. The plan starts with the next period; until then you can undo this.</p>
  }
  return (
    <p>
      The plan starts at once. Now you pay about{' '}
      <strong>
        <Price amount={change.price} currency={to.currency} />
      </strong>{' '}
      and get about <strong>{change.credits.toLocaleString()} credits</strong>: the difference for the rest of the
      period.
    </p>
  )
}
