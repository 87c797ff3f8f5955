import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { execute } from '../../api/execute.ts'
import { CreditLotsDocument, type CreditLotsQuery } from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { Money } from '../../parts/values/Money.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { useViewer } from '../../shell/viewer.ts'
import { type CreditLot, lotState, shareWords, sourceWords } from './lotWords.ts'

const PAGE_ROWS = 20
/** Lots follow the ledger by a second or two. */
const LIVE_MS = 5_000

/** The lots of the company: what is left of each grant, and until when. */
export function CreditsCard() {
  const { asCompany } = useViewer()
  const lots = useInfiniteQuery({
    queryKey: ['company', asCompany, 'credit lots'],
    queryFn: ({ pageParam }) => execute(CreditLotsDocument, { asCompany, first: PAGE_ROWS, after: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ creditLots: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    refetchInterval: LIVE_MS,
  })
  const balance = lots.data?.pages[0]?.creditBalance
  const rows = lots.data?.pages.flatMap(({ creditLots }) => creditLots.nodes) ?? []
  const more = lots.hasNextPage && (
    <Button busy={lots.isFetchingNextPage} onClick={() => void lots.fetchNextPage()}>
      Show more lots
    </Button>
  )
  return (
    <Card title="Credits">
      {lots.isPending && <Skeleton lines={3} />}
      {lots.error && <ErrorBox error={lots.error} onRetry={() => void lots.refetch()} />}
      {balance && <Summary balance={balance} />}
      {balance && rows.length === 0 && (
        <EmptyState title="No credits yet">
          Each pack, plan period and grant is listed here with what is left.
        </EmptyState>
      )}
      {balance && rows.length > 0 && (
        <LotTable lots={rows} nextAt={balance.nextExpiry?.at ?? null} foot={more || null} />
      )}
    </Card>
  )
}

type Balance = CreditLotsQuery['creditBalance']

function Summary({ balance: { debtMicros, nextExpiry } }: { readonly balance: Balance }) {
  const owes = debtMicros !== null && debtMicros !== '0'
  if (!nextExpiry && !owes) return null
  return (
    <div className="inside stack">
      {nextExpiry && (
        <p>
          <strong>
            <Money micros={nextExpiry.micros} /> credits expire <Time at={nextExpiry.at} relative />
          </strong>
          , on <Time at={nextExpiry.at} />. Calls use promotional credits first, then what expires first.
        </p>
      )}
      {owes && (
        <p>
          <strong>
            <Money micros={debtMicros} /> credits are owed.
          </strong>{' '}
          The next credits pay this first.
        </p>
      )}
    </div>
  )
}

type TableProps = { readonly lots: readonly CreditLot[]; readonly nextAt: string | null; readonly foot: ReactNode }

function LotTable({ lots, nextAt, foot }: TableProps) {
  const columns: Column<CreditLot>[] = [
    { id: 'source', header: 'From', place: 'main', cell: (lot) => <strong>{sourceWords(lot)}</strong> },
    { id: 'state', header: 'State', place: 'corner', cell: (lot) => <State lot={lot} nextAt={nextAt} /> },
    {
      id: 'left',
      header: 'Left',
      align: 'right',
      cell: (lot) => <Left of={lot} />,
    },
    { id: 'expires', header: 'Expires', cell: (lot) => <Expiry of={lot} /> },
  ]
  return <Table label="Lots of credits" columns={columns} rows={lots} rowId={({ lotId }) => lotId} foot={foot} />
}

function State({ lot, nextAt }: { readonly lot: CreditLot; readonly nextAt: string | null }) {
  switch (lotState(lot, nextAt)) {
    case 'next':
      return <Badge tone="warning">Expires next</Badge>
    case 'usable':
      return <Badge tone="good">Usable</Badge>
    case 'expired':
      return <Badge>Expired</Badge>
    case 'used up':
      return <Badge>Used up</Badge>
    case 'taken back':
      return <Badge tone="warning">Taken back</Badge>
  }
}

function Left({ of: { leftMicros, grantedMicros, expiredMicros, takenMicros } }: { readonly of: CreditLot }) {
  return (
    <div>
      <Money micros={leftMicros} />{' '}
      <span className="muted small">
        of <Money micros={grantedMicros} />
      </span>
      {expiredMicros !== '0' && (
        <div className="muted small">
          <Money micros={expiredMicros} /> expired
        </div>
      )}
      {takenMicros !== '0' && (
        <div className="muted small">
          <Money micros={takenMicros} /> refunded, disputed or corrected
        </div>
      )}
    </div>
  )
}

function Expiry({ of: { expiresAt, rollover } }: { readonly of: CreditLot }) {
  if (expiresAt === null) return <span className="muted">Never</span>
  return (
    <div>
      <Time at={expiresAt} relative />
      <div className="muted small">
        <Time at={expiresAt} />
        {rollover && rollover.share > 0 && `, ${shareWords(rollover.share)} of the rest rolls over`}
      </div>
    </div>
  )
}
