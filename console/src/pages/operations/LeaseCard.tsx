import { LeasesDocument } from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { usePlatformQuery } from '../../shell/platform.ts'
import { type Lease, workOf } from './operationsWords.ts'

const LIVE_MS = 5_000

/** Which process does the work that only one may do at a time. */
export function LeaseCard() {
  const leases = usePlatformQuery(LeasesDocument, {}, { refetchInterval: LIVE_MS })
  const all = leases.data?.leases ?? []
  return (
    <Card title="Leases">
      {leases.isPending && <Skeleton lines={3} />}
      {leases.error && <ErrorBox error={leases.error} onRetry={() => void leases.refetch()} />}
      {leases.data && all.length === 0 && (
        <EmptyState title="No leases yet">
          Processes take a lease for work that only one of them may do, such as sealing the transparency log.
        </EmptyState>
      )}
      {all.length > 0 && <Table label="Leases" columns={COLUMNS} rows={all} rowId={({ name }) => name} />}
    </Card>
  )
}

const COLUMNS: readonly Column<Lease>[] = [
  {
    id: 'name',
    header: 'Lease',
    place: 'main',
    cell: (lease) => (
      <div>
        <strong className="anywhere">{lease.name}</strong>
        <div className="muted small">{workOf(lease)}</div>
      </div>
    ),
  },
  {
    id: 'state',
    header: 'State',
    place: 'corner',
    cell: ({ isHeld }) => <Badge tone={isHeld ? 'good' : 'plain'}>{isHeld ? 'Held' : 'Free'}</Badge>,
  },
  { id: 'holder', header: 'Holder', cell: ({ holder }) => <span className="anywhere">{holder}</span> },
  {
    id: 'since',
    header: 'Since',
    cell: ({ takenAt }) => (takenAt === null ? <span className="muted">Unknown</span> : <Time at={takenAt} relative />),
  },
  { id: 'until', header: 'Until', cell: ({ expiresAt }) => <Time at={expiresAt} relative /> },
]
