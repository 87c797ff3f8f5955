import type { ReactNode } from 'react'
import { Card } from '../../parts/Card.tsx'
import { Table } from '../../parts/Table.tsx'
import { Money } from '../../parts/values/Money.tsx'

type Entry = {
  readonly group: string
  readonly requests: number
  readonly failures: number
  readonly amountMicros: string
}

type Props = {
  readonly title: string
  readonly header: string
  readonly entries: readonly Entry[]
  readonly name: (group: string) => ReactNode
}

const ENTRIES_MAX = 6

/** The keys or labels with the highest cost. */
export function TopList({ title, header, entries, name }: Props) {
  const top = entries.toSorted((a, b) => Number(BigInt(b.amountMicros) - BigInt(a.amountMicros))).slice(0, ENTRIES_MAX)
  return (
    <Card title={title}>
      <Table
        label={title}
        narrow
        rows={top}
        rowId={({ group }) => group}
        columns={[
          { id: 'name', header, place: 'main', cell: ({ group }) => name(group) },
          {
            id: 'calls',
            header: 'Calls',
            align: 'right',
            cell: ({ requests }) => <span className="number">{requests.toLocaleString()}</span>,
          },
          {
            id: 'failures',
            header: 'Failed',
            align: 'right',
            cell: ({ failures }) => <span className="number">{failures.toLocaleString()}</span>,
          },
          {
            id: 'credits',
            header: 'Credits',
            align: 'right',
            cell: ({ amountMicros }) => <Money micros={amountMicros} short />,
          },
        ]}
      />
    </Card>
  )
}
