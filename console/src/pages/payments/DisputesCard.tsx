import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { execute } from '../../api/execute.ts'
import { type DisputeStatus, DisputesDocument, type DisputesQuery } from '../../graphql/generated.ts'
import { Badge, type Tone } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { Price } from '../../parts/values/Price.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { PLATFORM } from '../../shell/platform.ts'

type Dispute = DisputesQuery['disputes']['nodes'][number]

const PAGE_ROWS = 20
const LIVE_MS = 30_000

const STATES: Readonly<Record<DisputeStatus, { readonly name: string; readonly tone: Tone }>> = {
  NEEDS_RESPONSE: { name: 'Needs a response', tone: 'warning' },
  UNDER_REVIEW: { name: 'Under review', tone: 'plain' },
  WON: { name: 'Won', tone: 'good' },
  LOST: { name: 'Lost', tone: 'danger' },
  WITHDRAWN: { name: 'Withdrawn', tone: 'good' },
}

/** Chargebacks of all companies, the newest first. */
export function DisputesCard({ names }: { readonly names: ReadonlyMap<string, string> }) {
  const disputes = useInfiniteQuery({
    queryKey: [PLATFORM, 'disputes'],
    queryFn: ({ pageParam }) => execute(DisputesDocument, { first: PAGE_ROWS, after: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ disputes: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    refetchInterval: LIVE_MS,
  })
  const rows = disputes.data?.pages.flatMap((page) => page.disputes.nodes) ?? []
  const more = disputes.hasNextPage && (
    <Button busy={disputes.isFetchingNextPage} onClick={() => void disputes.fetchNextPage()}>
      Show older disputes
    </Button>
  )
  const columns: Column<Dispute>[] = [
    { id: 'payment', header: 'Payment', place: 'main', cell: (dispute) => <Payment of={dispute} /> },
    {
      id: 'status',
      header: 'State',
      cell: ({ status }) => <Badge tone={STATES[status].tone}>{STATES[status].name}</Badge>,
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      cell: ({ amount, currency }) => <Price amount={amount} currency={currency} />,
    },
    {
      id: 'company',
      header: 'Company',
      cell: ({ companyId }) => (
        <Link to="/" search={{ as: companyId }}>
          {names.get(companyId) ?? companyId}
        </Link>
      ),
    },
    { id: 'deadline', header: 'Evidence until', cell: (dispute) => <Deadline of={dispute} /> },
    { id: 'opened', header: 'Opened', cell: ({ openedAt }) => <Time at={openedAt} relative /> },
  ]
  return (
    <Card title="Disputed payments">
      {disputes.isPending && <Skeleton lines={2} />}
      {disputes.error && <ErrorBox error={disputes.error} onRetry={() => void disputes.refetch()} />}
      {disputes.data && rows.length === 0 && (
        <EmptyState title="No payment is disputed">
          Chargebacks are listed here. The credits of a disputed payment are withdrawn until the dispute is won.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Table label="Disputed payments" columns={columns} rows={rows} rowId={({ id }) => id} foot={more || null} />
      )}
    </Card>
  )
}

function Payment({ of: { id, chargeId, reason, isInquiry } }: { readonly of: Dispute }) {
  return (
    <div>
      <code className="anywhere">{chargeId}</code>
      <div className="muted small anywhere" title={id}>
        {isInquiry ? 'inquiry: ' : ''}
        {reason.replaceAll('_', ' ')}
      </div>
    </div>
  )
}

function Deadline({ of: { respondBy, closedAt } }: { readonly of: Dispute }) {
  if (closedAt !== null || respondBy === null) return <span className="muted">–</span>
  return <Time at={respondBy} relative />
}
