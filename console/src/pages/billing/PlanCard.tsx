import { useState } from 'react'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { microsOf } from '../../parts/values/credits.ts'
import { Money } from '../../parts/values/Money.tsx'
import { Price } from '../../parts/values/Price.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { useSpendingRefusal } from '../../shell/useSpendingRefusal.ts'
import { type Plan, plansForSale, SUBSCRIPTION, type Subscription } from './billingWords.ts'
import { ChangePlanDialog } from './ChangePlanDialog.tsx'
import { unusedWords } from './lotWords.ts'
import { useCheckout, useSubscriptionChanges } from './paymentChanges.ts'

type Props = {
  readonly plans: readonly Plan[]
  /** The active subscription; null if there is none. */
  readonly running: Subscription | null
  readonly mayPay: boolean
}

export function PlanCard({ plans, running, mayPay }: Props) {
  const checkout = useCheckout()
  const refusal = useSpendingRefusal()
  const changes = useSubscriptionChanges()
  const [toConfirm, setToConfirm] = useState<Plan | 'cancel' | null>(null)
  const { changePlan, cancel, resume } = changes
  const nameOf = (id: string | null) => plans.find((plan) => plan.id === id)?.name ?? 'another plan'
  const offered = plansForSale(plans)
  const columns: Column<Plan>[] = [
    {
      id: 'name',
      header: 'Plan',
      place: 'main',
      cell: (plan) => (
        <div>
          <span className="row">
            <strong>{plan.name}</strong>
            {running?.planId === plan.id && <Badge tone="good">yours</Badge>}
            {running?.nextPlanId === plan.id && <Badge>from the next period</Badge>}
          </span>
          {plan.rolloverShare !== null && (
            <div className="muted small">unused credits: {unusedWords(plan.rolloverShare).toLowerCase()}</div>
          )}
        </div>
      ),
    },
    {
      id: 'credits',
      header: 'Credits per period',
      align: 'right',
      cell: ({ creditsPerPeriod }) => <Money micros={microsOf(creditsPerPeriod)} />,
    },
    {
      id: 'price',
      header: 'Price',
      align: 'right',
      cell: (plan) => <Price amount={plan.price} currency={plan.currency} />,
    },
  ]
  if (mayPay)
    columns.push({
      id: 'act',
      header: '',
      align: 'right',
      cell: (plan) =>
        running ? (
          running.planId === plan.id || running.nextPlanId === plan.id || running.cancelAtPeriodEnd ? null : (
            <Button aria-label={`Change to ${plan.name}`} refusal={refusal} onClick={() => setToConfirm(plan)}>
              Change
            </Button>
          )
        ) : (
          <Button
            aria-label={`Subscribe to ${plan.name}`}
            disabled={checkout.isPending}
            refusal={refusal}
            onClick={() => checkout.mutate({ planId: plan.id })}
          >
            Subscribe
          </Button>
        ),
    })
  const failed = checkout.error ?? resume.error
  const close = () => setToConfirm(null)
  return (
    <Card
      title="Plan"
      action={
        running && mayPay ? <Act running={running} changes={changes} refusal={refusal} onAsk={setToConfirm} /> : null
      }
    >
      {failed ? <ErrorBox error={failed} /> : null}
      {running && <Running of={running} nameOf={nameOf} />}
      {offered.length === 0 ? (
        <EmptyState title="No plans for sale">Buy credit packs, or ask the operator of this installation.</EmptyState>
      ) : (
        <Table label="Plans" columns={columns} rows={offered} rowId={({ id }) => id} />
      )}
      {toConfirm === 'cancel' && (
        <ConfirmDialog
          title="Cancel the subscription?"
          action="Cancel the subscription"
          keep="Keep it"
          danger
          change={cancel}
          onConfirm={() => cancel.mutate({}, { onSuccess: close })}
          onClose={close}
        >
          <p>It ends with the current period, and you can undo this until then. You keep your credits.</p>
        </ConfirmDialog>
      )}
      {toConfirm !== null && toConfirm !== 'cancel' && running && (
        <ChangePlanDialog
          to={toConfirm}
          from={plans.find(({ id }) => id === running.planId)}
          running={running}
          change={changePlan}
          onConfirm={() => changePlan.mutate({ planId: toConfirm.id }, { onSuccess: close })}
          onClose={close}
        />
      )}
    </Card>
  )
}

type ActProps = {
  readonly running: Subscription
  readonly changes: ReturnType<typeof useSubscriptionChanges>
  /** Why the change cannot be undone; null if it can. */
  readonly refusal: string | null
  readonly onAsk: (toConfirm: 'cancel') => void
}

/** The button for the active subscription: cancels it, or undoes a change that is scheduled for the end of the period. */
function Act({ running, changes: { resume, changePlan }, refusal, onAsk }: ActProps) {
  const { cancelAtPeriodEnd, nextPlanId, planId } = running
  if (cancelAtPeriodEnd) {
    return (
      <Button busy={resume.isPending} refusal={refusal} onClick={() => resume.mutate({})}>
        Undo the cancellation
      </Button>
    )
  }
  return (
    <div className="row">
      {nextPlanId && planId && (
        <Button busy={changePlan.isPending} refusal={refusal} onClick={() => changePlan.mutate({ planId })}>
          Keep the current plan
        </Button>
      )}
      <Button onClick={() => onAsk('cancel')}>Cancel</Button>
    </div>
  )
}

function Running({
  of: running,
  nameOf,
}: {
  readonly of: Subscription
  readonly nameOf: (id: string | null) => string
}) {
  const { status, planId, nextPlanId, cancelAtPeriodEnd, currentPeriodEnd } = running
  const { name, tone } = SUBSCRIPTION[status]
  return (
    <p className="inside">
      <strong>{nameOf(planId)}</strong> <Badge tone={tone}>{name}</Badge>{' '}
      {currentPeriodEnd && (
        <>
          {cancelAtPeriodEnd ? 'ends' : nextPlanId ? `becomes ${nameOf(nextPlanId)}` : 'renews'}{' '}
          <Time at={currentPeriodEnd} />
        </>
      )}
    </p>
  )
}
