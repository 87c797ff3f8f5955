import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { Money } from '../../parts/values/Money.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { KeyName } from '../../shell/KeyName.tsx'
import { type Entry, entryName } from './entryWords.ts'
import { ProofDialog } from './ProofDialog.tsx'

type Props = {
  readonly entries: readonly Entry[]
  /** The number of the last entry known to be covered by the signed checkpoint. */
  readonly coveredTo: number
  readonly keys: ReadonlyMap<string, string>
  readonly foot: ReactNode
}

export function EntryTable({ entries, coveredTo, keys, foot }: Props) {
  const [proven, setProven] = useState<Entry | null>(null)
  const columns: Column<Entry>[] = [
    { id: 'time', header: 'Stored', place: 'main', cell: ({ time }) => <Time at={time} /> },
    {
      id: 'number',
      header: 'Entry',
      align: 'right',
      cell: ({ number }) => <span className="number">{number.toLocaleString()}</span>,
    },
    { id: 'type', header: 'Type', cell: ({ type }) => <span className="nowrap">{entryName(type)}</span> },
    { id: 'what', header: 'What', cell: (entry) => <What of={entry} keys={keys} /> },
    { id: 'amount', header: 'Credits', align: 'right', cell: ({ amount }) => <Money micros={amount.amountMicros} /> },
    {
      id: 'balance',
      header: 'Balance',
      align: 'right',
      cell: ({ balance }) => <Money micros={balance.amountMicros} />,
    },
    {
      id: 'covered',
      header: 'Log',
      place: 'corner',
      cell: (entry) => <Covered entry={entry} isCovered={entry.number <= coveredTo} onProve={setProven} />,
    },
  ]
  return (
    <>
      <Table label="Entries of the ledger" columns={columns} rows={entries} rowId={({ id }) => id} foot={foot} />
      {proven && <ProofDialog entry={proven} onClose={() => setProven(null)} />}
    </>
  )
}

type CoveredProps = {
  readonly entry: Entry
  readonly isCovered: boolean
  readonly onProve: (entry: Entry) => void
}

function Covered({ entry, isCovered, onProve }: CoveredProps) {
  if (!isCovered) return <Badge>pending</Badge>
  const { callId, number, type } = entry
  return (
    <span className="row">
      <Badge tone="good">signed</Badge>
      {/* The page of a call proves its charge. */}
      {!callId && (
        <Button aria-label={`Prove entry ${number}: ${entryName(type)}`} onClick={() => onProve(entry)}>
          Prove
        </Button>
      )}
    </span>
  )
}

function What({ of: entry, keys }: { readonly of: Entry } & Pick<Props, 'keys'>) {
  const { callId, alias, keyId, label, description } = entry
  if (!callId) return <span>{description}</span>
  return (
    <span className="row">
      <Link to="/calls/$id" params={{ id: callId }}>
        {alias ?? callId}
      </Link>
      {keyId && (
        <span className="muted">
          <KeyName id={keyId} names={keys} brief />
        </span>
      )}
      {label && <Badge>{label}</Badge>}
    </span>
  )
}
