import { useId, useState } from 'react'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { AllKinds } from './AllKinds.tsx'
import { KindsButton } from './KindsButton.tsx'
import { type Draft, type Edit, editOf, faultsIn, type Price } from './priceDraft.ts'
import { SIMPLE_FIELDS } from './priceKinds.ts'

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

const NO_FAULTS: ReadonlySet<string> = new Set()
const IN_GRID: ReadonlySet<string> = new Set(SIMPLE_FIELDS.map(({ id }) => id))

/** An editable draft of the prices. Edited cells are marked; nothing is sent from here. */
export function PriceGrid({ rows, draft, showFaults, ofCompany, onEdit }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const id = useId()
  const editIn = ({ alias, price }: GridRow): Edit => draft.get(alias) ?? editOf(price)
  const faultsOf = ({ alias }: GridRow) => {
    const edit = draft.get(alias)
    return showFaults && edit ? faultsIn(edit) : NO_FAULTS
  }
  // A faulty field must not be hidden.
  const isOpen = (row: GridRow) => opened.has(row.alias) || [...faultsOf(row)].some((fault) => !IN_GRID.has(fault))
  const open = (alias: string, shall: boolean) =>
    setOpened((before) => new Set(shall ? [...before, alias] : [...before].filter((one) => one !== alias)))
  const panelId = (alias: string) => `${id}-${alias}`
  const columns: Column<GridRow>[] = [
    {
      id: 'alias',
      header: 'Alias',
      place: 'main',
      cell: (row) => (
        <div>
          <span className="row">
            <strong className="nowrap">{row.alias}</strong>
            <State of={row} edit={draft.get(row.alias)} />
          </span>
          <KindsButton
            alias={row.alias}
            edit={editIn(row)}
            panelId={panelId(row.alias)}
            isOpen={isOpen(row)}
            onToggle={(shall) => open(row.alias, shall)}
          />
        </div>
      ),
    },
    ...SIMPLE_FIELDS.map(({ id: field, header, empty }): Column<GridRow> => {
      return {
        id: field,
        header,
        align: 'right',
        cell: (row) => {
          const edit = editIn(row)
          const isChanged = edit.cells[field].trim() !== editOf(row.price).cells[field]
          return (
            <input
              className={isChanged ? 'input price changed' : 'input price'}
              aria-label={`${header} of ${row.alias}`}
              aria-invalid={faultsOf(row).has(field) || undefined}
              inputMode="decimal"
              autoComplete="off"
              placeholder={empty ?? 'none'}
              disabled={edit.isRetired}
              value={edit.cells[field]}
              onChange={({ target }) => onEdit(row, { ...edit, cells: { ...edit.cells, [field]: target.value } })}
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
  return (
    <Table
      label="Prices"
      columns={columns}
      rows={rows}
      rowId={({ alias }) => alias}
      detail={(row) =>
        isOpen(row) && (
          <AllKinds
            id={panelId(row.alias)}
            alias={row.alias}
            edit={editIn(row)}
            before={editOf(row.price)}
            faults={faultsOf(row)}
            onEdit={(edit) => onEdit(row, edit)}
          />
        )
      }
    />
  )
}

function State({ of: row, edit }: { readonly of: GridRow; readonly edit: Edit | undefined }) {
  if (edit) return <Badge tone="warning">{edit.isRetired ? 'Ends' : row.price ? 'Changed' : 'New'}</Badge>
  if (!row.price) return <Badge tone="danger">No price</Badge>
  if (row.isUnrouted) return <Badge>No provider</Badge>
  return row.isCommon ? <Badge>Common</Badge> : null
}

type ActionProps = { readonly row: GridRow; readonly edit: Edit | undefined } & Pick<Props, 'ofCompany' | 'onEdit'>

function Action({ row, edit, ofCompany, onEdit }: ActionProps) {
  const before = editOf(row.price)
  if (edit)
    return (
      <Button kind="quiet" aria-label={`Undo the change of ${row.alias}`} onClick={() => onEdit(row, before)}>
        Undo
      </Button>
    )
  if (!row.price || row.isCommon) return null
  const words = ofCompany ? 'Use common' : 'Retire'
  return (
    <Button
      kind="quiet"
      aria-label={`${words}: ${row.alias}`}
      onClick={() => onEdit(row, { ...before, isRetired: true })}
    >
      {words}
    </Button>
  )
}
