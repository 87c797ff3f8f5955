import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { TrailFieldsFragment } from '../../graphql/generated.ts'
import { type Column, Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/values/Time.tsx'

type Entry = TrailFieldsFragment

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

const KINDS: Readonly<Record<Entry['actor']['kind'], string>> = {
  USER: 'person',
  API_KEY: 'key',
  SYSTEM: 'system',
}

const COLUMNS: Column<Entry>[] = [
  { id: 'at', header: 'Time', place: 'main', cell: ({ at }) => <Time at={at} relative /> },
  {
    id: 'actor',
    header: 'Who',
    cell: ({ actor }) => (
      <span>
        {actor.name} <span className="muted small">{KINDS[actor.kind]}</span>
      </span>
    ),
  },
  { id: 'what', header: 'What', cell: (entry) => <What of={entry} /> },
  {
    id: 'correlation',
    header: 'Caused by',
    cell: ({ correlationId }) => (
      <Link
        to="/trail"
        search={{ correlation: correlationId }}
        title={correlationId}
        aria-label={`Everything that ${correlationId} caused`}
      >
        <code>{correlationId.slice(0, 8)}</code>
      </Link>
    ),
  },
]

export function TrailTable({ entries, foot }: { readonly entries: readonly Entry[]; readonly foot: ReactNode }) {
  return <Table label="Trail" columns={COLUMNS} rows={entries} rowId={({ id }) => id} foot={foot} />
}

function What({ of: { summary, facts } }: { readonly of: Entry }) {
  const known = facts.filter(({ value }) => value !== null)
  if (known.length === 0) return <span>{summary}</span>
  return (
    <details>
      <summary>{summary}</summary>
      <dl className="facts">
        {known.map(({ name, value }) => (
          <Fact key={name} name={name} value={value ?? ''} />
        ))}
      </dl>
    </details>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{ISO_TIME.test(value) ? <Time at={value} /> : value}</dd>
    </>
  )
}
