import type { ReactNode } from 'react'
import { ReconciliationDocument } from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Field } from '../../parts/Field.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Money } from '../../parts/values/Money.tsx'
import { MinorPrice } from '../../parts/values/Price.tsx'
import { usePlatformQuery } from '../../shell/platform.ts'
import { FindingTable } from './FindingTable.tsx'
import { isPastMonth, monthBefore, thisMonth } from './paymentsSearch.ts'
import { type Reconciliation, resultWords } from './reconciliationWords.ts'

type Names = ReadonlyMap<string, string>
type Props = { readonly month: string; readonly names: Names; readonly onPick: (month: string) => void }

/** The payments and refunds of a month at the payment provider, compared with the ledgers of all companies. */
export function ReconciliationCard({ month, names, onPick }: Props) {
  const now = thisMonth()
  const { data, error, isFetching, refetch } = usePlatformQuery(ReconciliationDocument, { month })
  return (
    <Card title="Reconciliation">
      <div className="inside stack">
        <search className="filters">
          <Field
            label="Month (UTC)"
            type="month"
            required
            max={now}
            value={month}
            onChange={({ target }) => isPastMonth(target.value, now) && onPick(target.value)}
          />
          <Button onClick={() => onPick(now)}>This month</Button>
          <Button onClick={() => onPick(monthBefore(now))}>Last month</Button>
          <Button busy={isFetching} onClick={() => void refetch()}>
            Compare again
          </Button>
        </search>
        {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={6} />}
        {data && <Result of={data.reconciliation} />}
      </div>
      {data && <FindingTable reconciliation={data.reconciliation} names={names} />}
    </Card>
  )
}

function Result({ of: found }: { readonly of: Reconciliation }) {
  return (
    <>
      <p>
        <Badge tone={found.matches ? 'good' : 'danger'}>{found.matches ? 'Agrees' : 'Differs'}</Badge>{' '}
        {resultWords(found)}
      </p>
      <dl className="facts">
        <Sums name="Payments" sums={found.payments} />
        <Sums name="Refunds" sums={found.refunds} />
        {found.otherPayments.length > 0 && <Sums name="Payments of others" sums={found.otherPayments} />}
        <Credits name="Granted for payments" total={found.granted} />
        <Credits name="Settled by invoices" total={found.settled} />
        <Credits name="Taken back" total={found.takenBack} />
        <Credits name="Granted by hand" total={found.grantedByHand} />
      </dl>
    </>
  )
}

function Sums({ name, sums }: { readonly name: string; readonly sums: Reconciliation['payments'] }) {
  const shown = sums.map(({ currency, count, amountMinor }, at) => (
    <span key={currency}>
      {at > 0 && ', '}
      <MinorPrice minor={amountMinor} currency={currency} /> <Count of={count} />
    </span>
  ))
  return <Fact name={name}>{sums.length === 0 ? <span className="muted">None</span> : shown}</Fact>
}

function Credits({ name, total }: { readonly name: string; readonly total: Reconciliation['granted'] }) {
  const { count, amountMicros } = total
  return (
    <Fact name={name}>
      {count === 0 ? (
        <span className="muted">None</span>
      ) : (
        <>
          <Money micros={amountMicros} /> credits <Count of={count} />
        </>
      )}
    </Fact>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Count({ of }: { readonly of: number }) {
  return <span className="muted">({of.toLocaleString()})</span>
}
