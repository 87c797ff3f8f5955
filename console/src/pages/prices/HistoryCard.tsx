import { nowMs } from '../../api/now.ts'
import type { PriceBooksQuery } from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { useShownRows } from '../../parts/useShownRows.tsx'
import { Time } from '../../parts/values/Time.tsx'

export type Book = PriceBooksQuery['priceBooks'][number]

const PAGE_ROWS = 10
/** More names would make the row too high; the rest is counted and listed in the title. */
const NAMES_MAX = 4

type Props = { readonly books: readonly Book[]; readonly companyName: (id: string) => string }

/** The published price books, including those not in force yet. */
export function HistoryCard({ books, companyName }: Props) {
  const { shown, more } = useShownRows(books, { pageRows: PAGE_ROWS, label: 'Show older books' })
  const columns: Column<Book>[] = [
    {
      id: 'from',
      header: 'In force from',
      place: 'main',
      cell: ({ effectiveFrom }) => (
        <span className="row">
          <Time at={effectiveFrom} relative />
          {Date.parse(effectiveFrom) > nowMs() && <Badge tone="warning">Scheduled</Badge>}
        </span>
      ),
    },
    {
      id: 'for',
      header: 'For',
      cell: ({ companyId }) => (companyId ? companyName(companyId) : <span className="nowrap">All companies</span>),
    },
    { id: 'sets', header: 'Prices', cell: ({ prices }) => <Names of={prices.map(({ alias }) => alias)} /> },
    {
      id: 'retires',
      header: 'Retired',
      cell: ({ retired, replacesAll }) => (replacesAll ? 'all others' : <Names of={retired} />),
    },
    { id: 'published', header: 'Published', cell: ({ publishedAt }) => <Time at={publishedAt} relative /> },
  ]
  return (
    <Card title="History">
      <Table label="Price books" columns={columns} rows={shown} rowId={({ id }) => id} foot={more} />
    </Card>
  )
}

function Names({ of: names }: { readonly of: readonly string[] }) {
  if (names.length === 0) return <span className="muted">None</span>
  const rest = names.length - NAMES_MAX
  return (
    <span title={names.join(', ')}>
      {names.slice(0, NAMES_MAX).join(', ')}
      {rest > 0 && <span className="muted"> and {rest} more</span>}
    </span>
  )
}
