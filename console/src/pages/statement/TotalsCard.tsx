import type { ReactNode } from 'react'
import { StatementTotalsDocument, type TotalFieldsFragment } from '../../graphql/generated.ts'
import { Card } from '../../parts/Card.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { Tabs } from '../../parts/Tabs.tsx'
import { Money } from '../../parts/values/Money.tsx'
import { KeyName } from '../../shell/KeyName.tsx'
import { useCompanyQuery } from '../../shell/viewer.ts'
import { entryName } from './entryWords.ts'
import type { Period } from './statementSearch.ts'

type Props = { readonly period: Period; readonly keys: ReadonlyMap<string, string> }

/** Totals of the entries by type, and of charged calls by model, key and label. */
export function TotalsCard({ period, keys }: Props) {
  const { data, error, isPending, refetch } = useCompanyQuery(StatementTotalsDocument, period)
  const totals = data?.statement.totals
  const same = (name: string) => name
  return (
    <Card title="Totals">
      {isPending && <Skeleton lines={4} />}
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {totals && (
        <div className="inside">
          <Tabs
            label="Totals"
            tabs={[
              { name: 'Types', content: <Totals of={totals.byType} header="Type" nameOf={entryName} /> },
              { name: 'Models', content: <Totals of={totals.byAlias} header="Model" nameOf={same} /> },
              {
                name: 'Keys',
                content: <Totals of={totals.byKey} header="Key" nameOf={(id) => <KeyName id={id} names={keys} />} />,
              },
              { name: 'Labels', content: <Totals of={totals.byLabel} header="Label" nameOf={same} /> },
            ]}
          />
        </div>
      )}
    </Card>
  )
}

type TotalsProps = {
  readonly of: readonly TotalFieldsFragment[]
  readonly header: string
  readonly nameOf: (name: string) => ReactNode
}

function Totals({ of: totals, header, nameOf }: TotalsProps) {
  if (totals.length === 0) return <p className="muted">No calls in this period.</p>
  const columns: Column<TotalFieldsFragment>[] = [
    { id: 'name', header, place: 'main', cell: ({ name }) => <strong>{nameOf(name)}</strong> },
    {
      id: 'entries',
      header: 'Entries',
      align: 'right',
      cell: ({ entries }) => <span className="number">{entries.toLocaleString()}</span>,
    },
    { id: 'credits', header: 'Credits', align: 'right', cell: ({ amount }) => <Money micros={amount.amountMicros} /> },
  ]
  return (
    <Table label={`Totals by ${header.toLowerCase()}`} columns={columns} rows={totals} rowId={({ name }) => name} />
  )
}
