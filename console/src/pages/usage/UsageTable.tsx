import type { ReactNode } from 'react'
import { type Column, Table } from '../../parts/Table.tsx'
import { Money } from '../../parts/values/Money.tsx'
import type { Pivot, PivotRow } from './pivot.ts'

type Props = {
  readonly pivot: Pivot
  readonly header: string
  readonly rowName: (group: string) => ReactNode
  readonly columnName: (subgroup: string) => string
}

/** More columns would be unreadable; the CSV file has them all. */
const COLUMNS_MAX = 12

export function UsageTable({ pivot, header, rowName, columnName }: Props) {
  const count = (value: number) => <span className="number">{value.toLocaleString()}</span>
  const columns: Column<PivotRow>[] = [
    {
      id: 'group',
      header,
      place: 'main',
      sort: ({ group }) => group,
      cell: ({ group }) => <strong>{rowName(group)}</strong>,
    },
    {
      id: 'requests',
      header: 'Calls',
      align: 'right',
      sort: ({ requests }) => requests,
      cell: ({ requests }) => count(requests),
    },
    {
      id: 'failures',
      header: 'Failed',
      align: 'right',
      sort: ({ failures }) => failures,
      cell: ({ failures }) => count(failures),
    },
    ...(pivot.columns.length === 0 ? tokenColumns(count) : []),
    ...pivot.columns.slice(0, COLUMNS_MAX).map(
      (name): Column<PivotRow> => ({
        id: `of ${name}`,
        header: columnName(name),
        align: 'right',
        sort: ({ cells }) => cells.get(name) ?? 0n,
        cell: ({ cells }) => <Money micros={cells.get(name) ?? 0n} short />,
      }),
    ),
    {
      id: 'credits',
      header: 'Credits',
      align: 'right',
      sort: ({ micros }) => micros,
      cell: ({ micros }) => <Money micros={micros} />,
    },
  ]
  return <Table label="Usage" columns={columns} rows={pivot.rows} rowId={({ group }) => group} />
}

function tokenColumns(count: (value: number) => ReactNode): Column<PivotRow>[] {
  return [
    {
      id: 'in',
      header: 'Tokens in',
      align: 'right',
      sort: ({ tokensIn }) => tokensIn,
      cell: ({ tokensIn }) => count(tokensIn),
    },
    {
      id: 'out',
      header: 'Tokens out',
      align: 'right',
      sort: ({ tokensOut }) => tokensOut,
      cell: ({ tokensOut }) => count(tokensOut),
    },
  ]
}
