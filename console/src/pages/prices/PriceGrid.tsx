import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { cellsOf, type Draft, type Edit, FIELDS, faultyCells, type Price } from './priceDraft.ts'

/** An alias with its price in force, if it has one. */
export type GridRow = {
  readonly alias: string
  readonly price: Price | undefined
  /** No gateway has a route to it. */
  readonly isUnrouted: boolean
  /** In a company's prices: the common price applies. */
  readonly isCommon: boolean
}

type Props = {
  readonly rows: readonly GridRow[]
  readonly draft: Draft
  /** Errors show after the first attempt to preview or publish. */
  readonly showFaults: boolean
  readonly ofCompany: boolean
  readonly onEdit: (row: GridRow, edit: Edit) => void
}

/** An editable draft of the prices. Edited cells are marked; nothing is sent from here. */
export function PriceGrid({ rows, draft, showFaults, ofCompany, onEdit }: Props) {
  const editOf = ({ alias, price }: GridRow): Edit => draft.get(alias) ?? { cells: cellsOf(price), isRetired: false }
  const columns: Column<GridRow>[] = [
    {
      id: 'alias',
      header: 'Alias',
      place: 'main',
      cell: (row) => (
        <span className="row">
          <strong className="nowrap">{row.alias}</strong>
          <State of={row} edit={draft.get(row.alias)} />
        </span>
      ),
    },
    ...FIELDS.map(({ id, header, empty }): Column<GridRow> => {
      return {
        id,
        header,
        align: 'right',
        cell: (row) => {
          const edit = editOf(row)
          const isChanged = edit.cells[id].trim() !== cellsOf(row.price)[id]
          const isFaulty = showFaults && draft.has(row.alias) && faultyCells(edit).includes(id)
          return (
            <input
              className={isChanged ? 'input price changed' : 'input price'}
              aria-label={`${header} of ${row.alias}`}
              aria-invalid={isFaulty || undefined}
              inputMode="decimal"
              autoComplete="off"
              placeholder={empty ?? 'none'}
              disabled={edit.isRetired}
              value={edit.cells[id]}
              onChange={({ target }) => onEdit(row, { ...edit, cells: { ...edit.cells, [id]: target.value } })}
            />
          )
        },
      }
    }),
    {
      id: 'act',
      header: '',
      place: 'corner',
      cell: (row) => <Action row={row} edit={draft.get(row.alias)} ofCompany={ofCompany} onEdit={onEdit} />,
    },
  ]
  return <Table label="Prices" columns={columns} rows={rows} rowId={({ alias }) => alias} />
}

function State({ of: row, edit }: { readonly of: GridRow; readonly edit: Edit | undefined }) {
  if (edit) return <Badge tone="warning">{edit.isRetired ? 'Ends' : row.price ? 'Changed' : 'New'}</Badge>
  if (!row.price) return <Badge tone="danger">No price</Badge>
  if (row.isUnrouted) return <Badge>No provider</Badge>
  return row.isCommon ? <Badge>Common</Badge> : null
}

type ActionProps = { readonly row: GridRow; readonly edit: Edit | undefined } & Pick<Props, 'ofCompany' | 'onEdit'>

function Action({ row, edit, ofCompany, onEdit }: ActionProps) {
  const cells = cellsOf(row.price)
  if (edit)
    return (
      <Button
        kind="quiet"
        aria-label={`Undo the change of ${row.alias}`}
        onClick={() => onEdit(row, { cells, isRetired: false })}
      >
        Undo
      </Button>
    )
  if (!row.price || row.isCommon) return null
  const words = ofCompany ? 'Use common' : 'Retire'
  return (
    <Button kind="quiet" aria-label={`${words}: ${row.alias}`} onClick={() => onEdit(row, { cells, isRetired: true })}>
      {words}
    </Button>
  )
}
