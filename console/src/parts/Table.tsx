import {
  type ColumnDef,
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { Fragment, type ReactNode, useMemo } from 'react'
import { useCards } from './useCards.ts'
import { useShownRows } from './useShownRows.tsx'

export type Column<Row> = {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Makes the column sortable by this value. */
  readonly sort?: (row: Row) => number | bigint | string
  readonly align?: 'right'
  /** Where rows are cards: the card's heading, or its corner. */
  readonly place?: 'main' | 'corner'
}

type Props<Row> = {
  /** What the table lists, for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => string
  /** What is shown over the whole width below a row; null for a row without details, or whose details are closed. */
  readonly detail?: (row: Row) => ReactNode
  readonly foot?: ReactNode
  /** The rows shown at first, for a list that is loaded completely. */
  readonly pageRows?: number
  /** The columns are few, and rows if they fit, also on a phone. */
  readonly narrow?: boolean
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })

/** Rows and columns. Where they do not fit, each row becomes a card whose cells name their columns. */
export function Table<Row extends RowData>({
  label,
  columns,
  rows,
  rowId,
  detail,
  foot,
  pageRows,
  narrow = false,
}: Props<Row>) {
  const definitions = useMemo(() => columns.map((column) => definitionOf(column)), [columns])
  const table = useTable({ features, columns: definitions, data: rows as Row[], getRowId: rowId })
  const { shown, more } = useShownRows(table.getRowModel().rows, {
    pageRows: pageRows ?? Number.POSITIVE_INFINITY,
    label: 'Show more',
  })
  const cards = useCards(narrow)
  const columnOf = new Map(columns.map((column) => [column.id, column]))
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard. */}
      <section className="table-frame" aria-label={label} tabIndex={0}>
        <table className="table" ref={cards}>
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {group.headers.map(({ id, column }) => {
                  const { header = '', align, sort } = columnOf.get(id) ?? {}
                  return (
                    <th key={id} scope="col" className={align ?? ''} aria-sort={ariaSort(column.getIsSorted())}>
                      {sort ? (
                        <button type="button" onClick={column.getToggleSortingHandler()}>
                          {header} <span aria-hidden="true">{ARROWS[String(column.getIsSorted())]}</span>
                        </button>
                      ) : (
                        header || <span className="hidden-label">Actions</span>
                      )}
                    </th>
                  )
                })}
              </tr>
            ))}
          </thead>
          <tbody>
            {shown.map((row) => (
              <Fragment key={row.id}>
                <tr>
                  {columns.map(({ id, header, cell, align, place }) => (
                    <td
                      key={id}
                      className={align ?? ''}
                      data-label={header}
                      data-main={place === 'main' ? '' : undefined}
                      data-corner={place === 'corner' ? '' : undefined}
                    >
                      {cell(row.original)}
                    </td>
                  ))}
                </tr>
                <DetailRow columns={columns.length}>{detail?.(row.original)}</DetailRow>
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
      {(foot || more) && (
        <div className="table-foot">
          {more}
          {foot}
        </div>
      )}
    </>
  )
}

function DetailRow({ columns, children }: { readonly columns: number; readonly children: ReactNode }) {
  if (!children) return null
  return (
    <tr className="detail">
      <td colSpan={columns}>{children}</td>
    </tr>
  )
}

const ARROWS: Readonly<Record<string, string>> = { asc: '↑', desc: '↓', false: '' }

function ariaSort(sorted: false | 'asc' | 'desc') {
  return sorted === false ? undefined : sorted === 'asc' ? 'ascending' : 'descending'
}

function definitionOf<Row extends RowData>({
  id,
  header,
  sort,
}: Column<Row>): ColumnDef<typeof features, Row, unknown> {
  return {
    id,
    header,
    accessorFn: (row) => sort?.(row),
    enableSorting: sort !== undefined,
    sortDescFirst: true,
    sortFn: (left, right, column) => {
      const [a, b] = [left.getValue(column), right.getValue(column)] as [number, number]
      return a < b ? -1 : a > b ? 1 : 0
    },
  }
}
