import { Badge } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { useShownRows } from '../../parts/useShownRows.tsx'
import { microsOf } from '../../parts/values/credits.ts'
import { Money } from '../../parts/values/Money.tsx'
import { Price } from '../../parts/values/Price.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { useViewer } from '../../shell/viewer.ts'
import { type Pack, type Plan, PURCHASE, type Purchase, SUBSCRIPTION, type Subscription } from './billingWords.ts'

type PurchasesProps = { readonly purchases: readonly Purchase[]; readonly packs: readonly Pack[] }

export function PurchasesCard({ purchases, packs }: PurchasesProps) {
  const { may } = useViewer()
  const { shown, more } = useShownRows(purchases)
  const columns: Column<Purchase>[] = [
    { id: 'created', header: 'Started', place: 'main', cell: ({ createdAt }) => <Time at={createdAt} relative /> },
    {
      id: 'pack',
      header: 'Pack',
      cell: ({ packId }) => packs.find(({ id }) => id === packId)?.name ?? 'A former pack',
    },
    {
      id: 'status',
      header: 'State',
      cell: ({ status, failureReason }) => (
        <span className="row">
          <Badge tone={PURCHASE[status].tone}>{PURCHASE[status].name}</Badge>
          {failureReason && <span className="muted small">{failureReason}</span>}
        </span>
      ),
    },
    {
      id: 'credits',
      header: 'Credits',
      align: 'right',
      cell: ({ credits, creditsRefunded }) => (
        <span>
          <Money micros={microsOf(credits)} />
          {creditsRefunded > 0 && (
            <span className="muted small">
              {' '}
              (<Money micros={microsOf(creditsRefunded)} /> refunded)
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'price',
      header: 'Price',
      align: 'right',
      cell: ({ price, currency }) => <Price amount={price} currency={currency} />,
    },
  ]
  return (
    <Card title="Purchases">
      {purchases.length === 0 ? (
        <EmptyState title="No purchases yet">
          {may('pay')
            ? 'Buy a credit pack above. Its credits are granted once it is paid.'
            : 'Credit packs that the company buys are listed here.'}
        </EmptyState>
      ) : (
        <Table label="Purchases" columns={columns} rows={shown} rowId={({ id }) => id} foot={more} />
      )}
    </Card>
  )
}

type SubscriptionsProps = { readonly subscriptions: readonly Subscription[]; readonly plans: readonly Plan[] }

export function SubscriptionsCard({ subscriptions, plans }: SubscriptionsProps) {
  const { shown, more } = useShownRows(subscriptions)
  const day = (at: string | null) => (at ? <Time at={at} relative /> : <span className="muted">–</span>)
  const columns: Column<Subscription>[] = [
    {
      id: 'plan',
      header: 'Plan',
      place: 'main',
      cell: ({ planId }) => plans.find(({ id }) => id === planId)?.name ?? 'A former plan',
    },
    {
      id: 'status',
      header: 'State',
      place: 'corner',
      cell: ({ status }) => <Badge tone={SUBSCRIPTION[status].tone}>{SUBSCRIPTION[status].name}</Badge>,
    },
    { id: 'start', header: 'Began', cell: ({ startDate }) => day(startDate) },
    { id: 'period', header: 'Period ends', cell: ({ currentPeriodEnd }) => day(currentPeriodEnd) },
    { id: 'end', header: 'Ended', cell: ({ endDate }) => day(endDate) },
  ]
  if (subscriptions.length === 0) return null
  return (
    <Card title="Subscriptions">
      <Table label="Subscriptions" columns={columns} rows={shown} rowId={({ id }) => id} foot={more} />
    </Card>
  )
}
