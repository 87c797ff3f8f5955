import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Menu } from '../../parts/Menu.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { microsOf } from '../../parts/values/credits.ts'
import { Money } from '../../parts/values/Money.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { type Company, type Figures, MODES } from './companyWords.ts'

export type CompanyAction = 'grant' | 'adjust' | 'cap' | 'limit' | 'suspend' | 'resume'

type Props = {
  readonly companies: readonly Company[]
  /** By company id. null: could not be read; undefined: loading. */
  readonly figures: ReadonlyMap<string, Figures | null | undefined>
  readonly onRead: (company: Company) => void
  readonly onAct: (action: CompanyAction, company: Company) => void
  readonly foot: ReactNode
}

export function CompanyTable({ companies, figures, onRead, onAct, foot }: Props) {
  const shown = (id: string, show: (figures: Figures) => ReactNode) => {
    const found = figures.get(id)
    if (found === undefined) return <span className="skeleton figure-cell" role="status" aria-label="Loading" />
    return found === null ? <span className="muted">Unavailable</span> : show(found)
  }
  const columns: Column<Company>[] = [
    {
      id: 'name',
      header: 'Company',
      place: 'main',
      sort: ({ name }) => name.toLowerCase(),
      cell: (company) => <Name of={company} />,
    },
    {
      id: 'balance',
      header: 'Balance',
      align: 'right',
      sort: ({ id }) => figures.get(id)?.balanceMicros ?? 0n,
      cell: ({ id }) => shown(id, ({ balanceMicros }) => <Money micros={balanceMicros} short />),
    },
    {
      id: 'spent',
      header: 'Spent, 30 days',
      align: 'right',
      sort: ({ id }) => figures.get(id)?.spentMicros ?? 0n,
      cell: ({ id }) => shown(id, ({ spentMicros }) => <Money micros={spentMicros} short />),
    },
    {
      id: 'calls',
      header: 'Calls, 30 days',
      align: 'right',
      sort: ({ id }) => figures.get(id)?.calls ?? 0,
      cell: ({ id }) => shown(id, ({ calls }) => <span className="number">{calls.toLocaleString()}</span>),
    },
    { id: 'mode', header: 'Mode', cell: (company) => <Mode of={company} /> },
    {
      id: 'cap',
      header: 'Hard cap',
      cell: ({ hardCap }) => (hardCap ? 'On' : <span className="muted">Off</span>),
    },
    {
      id: 'overdue',
      header: 'Overdue',
      sort: ({ id }) => figures.get(id)?.overdue.length ?? 0,
      cell: ({ id }) => shown(id, ({ overdue }) => <Overdue invoices={overdue} />),
    },
    {
      id: 'act',
      header: '',
      place: 'corner',
      cell: (company) => <Actions of={company} onRead={onRead} onAct={onAct} />,
    },
  ]
  return <Table label="Companies" columns={columns} rows={companies} rowId={({ id }) => id} foot={foot} />
}

function Name({ of: { id, name, createdAt, suspendedAt, suspendedReason } }: { readonly of: Company }) {
  return (
    <div>
      <div className="row">
        <Link to="/" search={{ as: id }}>
          <strong>{name}</strong>
        </Link>
        {suspendedAt && <Badge tone="danger">Suspended</Badge>}
      </div>
      <div className="muted small">
        {suspendedAt ? (
          <>
            {suspendedReason}, <Time at={suspendedAt} relative />
          </>
        ) : (
          <>
            created <Time at={createdAt} relative />
          </>
        )}
      </div>
    </div>
  )
}

function Mode({ of: { billingMode, creditLimit } }: { readonly of: Company }) {
  const limit = billingMode === 'POSTPAID' ? creditLimit : null
  return (
    <div>
      {MODES[billingMode]}
      {limit !== null && (
        <div className="muted small">
          limit <Money micros={microsOf(limit)} short />
        </div>
      )}
    </div>
  )
}

function Overdue({ invoices }: { readonly invoices: Figures['overdue'] }) {
  if (invoices.length === 0) return <span className="muted">None</span>
  const amounts = invoices.map(({ amount, currency }) => `${amount} ${currency.toUpperCase()}`).join(', ')
  return (
    <span title={amounts}>
      <Badge tone="danger">
        {invoices.length} {invoices.length === 1 ? 'invoice' : 'invoices'}
      </Badge>
    </span>
  )
}

type ActionsProps = { readonly of: Company } & Pick<Props, 'onRead' | 'onAct'>

function Actions({ of: company, onRead, onAct }: ActionsProps) {
  const { name, billingMode, hardCap, creditLimit, suspendedAt } = company
  return (
    <Menu
      trigger={
        <Button kind="quiet" icon aria-label={`Actions for ${name}`}>
          ⋯
        </Button>
      }
      items={[
        { label: 'View as this company', onPick: () => onRead(company) },
        { label: 'Grant credits', onPick: () => onAct('grant', company) },
        { label: 'Adjust credits', onPick: () => onAct('adjust', company) },
        ...(billingMode === 'POSTPAID' ? [{ label: 'Credit limit', onPick: () => onAct('limit', company) }] : []),
        // A postpaid company without a credit limit has nothing that a hard cap could hold.
        ...(billingMode === 'PREPAID' || creditLimit !== null
          ? [{ label: hardCap ? 'Lift the hard cap' : 'Set a hard cap', onPick: () => onAct('cap', company) }]
          : []),
        suspendedAt
          ? { label: 'Resume', onPick: () => onAct('resume', company) }
          : { label: 'Suspend', danger: true, onPick: () => onAct('suspend', company) },
      ]}
    />
  )
}
