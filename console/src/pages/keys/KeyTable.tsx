import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Bar } from '../../parts/charts/Bar.tsx'
import { Sparkline } from '../../parts/charts/Sparkline.tsx'
import { Menu } from '../../parts/Menu.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { microsOf } from '../../parts/values/credits.ts'
import { Money } from '../../parts/values/Money.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { keyNames } from '../../shell/keyNames.ts'
import { type Key, periodName, rotationOf, STATUS, scopeName } from './keyWords.ts'

export type KeyAction = 'edit' | 'rotate' | 'revoke'

type Props = {
  readonly keys: readonly Key[]
  /** Also those that are not listed, which a listed one may replace. */
  readonly all: readonly Key[]
  /** Calls of each key on each of the last days. */
  readonly days: ReadonlyMap<string, readonly number[]>
  readonly mayChange: boolean
  /** Why no key can be created; null if one can. */
  readonly refusal: string | null
  readonly onAct: (action: KeyAction, key: Key) => void
}

export function KeyTable({ keys, all, days, mayChange, refusal, onAct }: Props) {
  const names = keyNames(all)
  const columns: Column<Key>[] = [
    {
      id: 'name',
      header: 'Key',
      place: 'main',
      sort: ({ name }) => name.toLowerCase(),
      cell: (key) => <Name of={key} all={all} />,
    },
    { id: 'scopes', header: 'Allows', cell: (key) => <Allowed of={key} /> },
    {
      id: 'budget',
      header: 'Budget',
      sort: ({ budget }) => (budget ? budget.spent / budget.credits : -1),
      cell: ({ budget }) => <Budget of={budget} />,
    },
    {
      id: 'month',
      header: 'Credits, month',
      align: 'right',
      sort: ({ spentThisMonth }) => spentThisMonth,
      cell: ({ spentThisMonth }) => <Money micros={microsOf(spentThisMonth)} short />,
    },
    {
      id: 'days',
      header: 'Calls, 14 days',
      cell: ({ id, name }) => <Sparkline values={days.get(id) ?? NO_DAYS} label={callsLabel(name, days.get(id))} />,
    },
    {
      id: 'used',
      header: 'Last used',
      sort: ({ lastUsedAt }) => lastUsedAt ?? '',
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} relative /> : <span className="muted">Never</span>),
    },
  ]
  if (mayChange)
    columns.push({
      id: 'act',
      header: '',
      place: 'corner',
      cell: (key) => <Actions of={key} name={names.get(key.id) ?? key.name} refusal={refusal} onAct={onAct} />,
    })
  return <Table label="Keys" columns={columns} rows={keys} rowId={({ id }) => id} pageRows={PAGE_ROWS} />
}

const PAGE_ROWS = 25
const NO_DAYS = Array.from({ length: 14 }, () => 0)

function callsLabel(name: string, days: readonly number[] | undefined): string {
  const calls = (days ?? []).reduce((sum, one) => sum + one, 0)
  return `${calls} calls with ${name} in 14 days`
}

function Name({ of: key, all }: { readonly of: Key; readonly all: readonly Key[] }) {
  const { name, hint, status, label, expiresAt } = key
  const { replaces, replacedBy } = rotationOf(key, all)
  return (
    <div>
      <div className="row">
        <strong>{name}</strong>
        {status !== 'LIVE' && <Badge tone={STATUS[status].tone}>{STATUS[status].name}</Badge>}
        {label && <Badge>{label}</Badge>}
      </div>
      <div className="muted small">
        <code>{hint}…</code>
        {replaces && (
          <>
            {' '}
            replaces <code>{replaces.hint}…</code>
          </>
        )}
        {replacedBy && (
          <>
            {' '}
            replaced by <code>{replacedBy.hint}…</code>
          </>
        )}
        {status === 'LIVE' && expiresAt && (
          <>
            {' '}
            expires <Time at={expiresAt} relative />
          </>
        )}
      </div>
    </div>
  )
}

function Allowed({ of: { scopes, models, rpm, tpm } }: { readonly of: Key }) {
  const count = new Intl.NumberFormat(undefined, { notation: 'compact' })
  return (
    <div className="allowed">
      <div>{scopes.map(scopeName).join(', ')}</div>
      <div className="muted small" title={models?.join(', ')}>
        {models === null ? 'every model' : models.length === 1 ? models[0] : `${models.length} models`} ·{' '}
        <span className="nowrap">{count.format(rpm)} req/min ·</span>{' '}
        <span className="nowrap">{count.format(tpm)} tok/min</span>
      </div>
    </div>
  )
}

function Budget({ of: budget }: { readonly of: Key['budget'] }) {
  if (!budget) return <span className="muted">None</span>
  return (
    <div>
      <div className="small">
        <Money micros={microsOf(budget.spent)} short /> of <Money micros={microsOf(budget.credits)} short />{' '}
        <span className="muted nowrap">{periodName(budget.period)}</span>
      </div>
      <Bar label="Share of the budget spent" share={budget.spent / budget.credits} />
    </div>
  )
}

type ActionsProps = { readonly of: Key; readonly name: string } & Pick<Props, 'refusal' | 'onAct'>

function Actions({ of: key, name, refusal, onAct }: ActionsProps) {
  if (key.status !== 'LIVE') return null
  return (
    <Menu
      trigger={
        <Button kind="quiet" icon aria-label={`Actions for ${name}`}>
          ⋯
        </Button>
      }
      items={[
        { label: 'Edit', onPick: () => onAct('edit', key) },
        { label: 'Rotate', refusal, onPick: () => onAct('rotate', key) },
        { label: 'Revoke', danger: true, onPick: () => onAct('revoke', key) },
      ]}
    />
  )
}
