import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '../../parts/Badge.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { Money } from '../../parts/values/Money.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { duration } from '../../parts/values/times.ts'
import { KeyName } from '../../shell/KeyName.tsx'
import { type Call, durationMs, STATE } from './callWords.ts'

type Props = {
  readonly calls: readonly Call[]
  readonly keys: ReadonlyMap<string, string>
  readonly foot: ReactNode
}

export function CallTable({ calls, keys, foot }: Props) {
  const columns: Column<Call>[] = [
    {
      id: 'finished',
      header: 'Finished',
      place: 'main',
      cell: ({ id, finishedAt }) => (
        <Link to="/calls/$id" params={{ id }}>
          <Time at={finishedAt} relative />
        </Link>
      ),
    },
    {
      id: 'state',
      header: 'State',
      place: 'corner',
      cell: ({ state }) => <Badge tone={STATE[state].tone}>{STATE[state].name}</Badge>,
    },
    { id: 'alias', header: 'Model', cell: ({ alias }) => <span className="nowrap">{alias}</span> },
    {
      id: 'key',
      header: 'Key',
      cell: ({ keyId, label }) => (
        <span className="row">
          <KeyName id={keyId} names={keys} brief /> {label && <Badge>{label}</Badge>}
        </span>
      ),
    },
    {
      id: 'tokens',
      header: 'Tokens in / out',
      align: 'right',
      cell: ({ tokensIn, tokensOut }) => (
        <span className="number">
          {tokensIn.toLocaleString()} / {tokensOut.toLocaleString()}
        </span>
      ),
    },
    {
      id: 'time',
      header: 'Time',
      align: 'right',
      cell: (call) => <span className="number">{duration(durationMs(call))}</span>,
    },
    { id: 'credits', header: 'Credits', align: 'right', cell: ({ amountMicros }) => <Money micros={amountMicros} /> },
  ]
  return <Table label="Calls" columns={columns} rows={calls} rowId={({ id }) => id} foot={foot} />
}
