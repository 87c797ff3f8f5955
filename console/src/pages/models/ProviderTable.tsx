import { useState } from 'react'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { duration } from '../../parts/values/times.ts'
import { BREAKERS, errorShare, type Model, type Provider } from './modelWords.ts'
import { TrialCallDialog } from './TrialCallDialog.tsx'

type Props = { readonly model: Model }

/** The providers of an alias, in the order in which they are asked. */
export function ProviderTable({ model }: Props) {
  const rows = model.providers.map((provider, n) => ({ ...provider, place: n + 1 }))
  const [tested, setTested] = useState<Provider | null>(null)
  const shown = model.strategy === 'weighted' ? [...COLUMNS.slice(0, 1), WEIGHT, ...COLUMNS.slice(1)] : COLUMNS
  const test: Column<Row> = {
    id: 'test',
    header: '',
    place: 'corner',
    cell: (provider) => (
      <Button aria-label={`Trial call: ${provider.name} for ${model.alias}`} onClick={() => setTested(provider)}>
        Trial call
      </Button>
    ),
  }
  return (
    <>
      <Table
        label={`Providers of ${model.alias}`}
        columns={[...shown, test]}
        rows={rows}
        rowId={({ place }) => String(place)}
      />
      {tested && <TrialCallDialog alias={model.alias} provider={tested} onClose={() => setTested(null)} />}
    </>
  )
}

type Row = Provider & { readonly place: number }

const WEIGHT: Column<Row> = {
  id: 'weight',
  header: 'Weight',
  align: 'right',
  cell: ({ weight }) => <span className="number">{weight}</span>,
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    header: 'Provider',
    place: 'main',
    cell: ({ name, place }) => (
      <span>
        <span className="muted number">{place}.</span> {name}
      </span>
    ),
  },
  {
    id: 'breaker',
    header: 'Circuit breaker',
    cell: ({ breaker }) => <Badge tone={BREAKERS[breaker].tone}>{BREAKERS[breaker].name}</Badge>,
  },
  {
    id: 'answers',
    header: 'Answers',
    align: 'right',
    cell: ({ answers }) => <span className="number">{answers.toLocaleString()}</span>,
  },
  { id: 'errors', header: 'Errors', align: 'right', cell: (row) => <Errors of={row} /> },
  {
    id: 'first',
    header: 'First byte',
    align: 'right',
    cell: ({ firstByteMs }) =>
      firstByteMs === null ? (
        <span className="muted">No answer</span>
      ) : (
        <span className="number">{duration(firstByteMs)}</span>
      ),
  },
]

function Errors({ of: provider }: { readonly of: Provider }) {
  const share = errorShare(provider)
  return (
    <span className="number">
      {provider.errors.toLocaleString()}
      {share !== null && share > 0 && <span className="muted"> ({Math.round(share * 100)} %)</span>}
    </span>
  )
}
