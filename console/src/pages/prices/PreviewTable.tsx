import type { PreviewPricesQuery } from '../../graphql/generated.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { Money } from '../../parts/values/Money.tsx'

type Preview = PreviewPricesQuery['previewPriceBook']
type Row = Preview['aliases'][number]

/** The cost of recent calls with the current and the new prices. */
export function PreviewTable({ preview }: { readonly preview: Preview }) {
  if (preview.calls === 0)
    return (
      <EmptyState title="No charged calls in this period">
        There is nothing to compare. Choose a longer period to include more calls.
      </EmptyState>
    )
  const rows = [...preview.aliases, { ...preview, alias: TOTAL }]
  return <Table label="Preview" columns={COLUMNS} rows={rows} rowId={({ alias }) => alias} />
}

const TOTAL = 'All aliases'

const COLUMNS: readonly Column<Row>[] = [
  { id: 'alias', header: 'Alias', place: 'main', cell: ({ alias }) => <strong>{alias}</strong> },
  {
    id: 'calls',
    header: 'Calls',
    align: 'right',
    cell: ({ calls }) => <span className="number">{calls.toLocaleString()}</span>,
  },
  {
    id: 'refused',
    header: 'Without a price',
    align: 'right',
    cell: ({ refusedCalls }) => <span className="number">{refusedCalls.toLocaleString()}</span>,
  },
  { id: 'old', header: 'Charged', align: 'right', cell: ({ oldAmountMicros }) => <Money micros={oldAmountMicros} /> },
  { id: 'new', header: 'New', align: 'right', cell: ({ newAmountMicros }) => <Money micros={newAmountMicros} /> },
  {
    id: 'difference',
    header: 'Difference',
    align: 'right',
    cell: ({ oldAmountMicros, newAmountMicros }) => (
      <Money micros={BigInt(newAmountMicros) - BigInt(oldAmountMicros)} />
    ),
  },
]
