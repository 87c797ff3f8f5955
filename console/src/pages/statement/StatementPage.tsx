import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { execute } from '../../api/execute.ts'
import { StatementDocument } from '../../graphql/generated.ts'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Page } from '../../parts/Page.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { useCompanyName } from '../../shell/useCompanyName.ts'
import { useKeyNames } from '../../shell/useKeyNames.ts'
import { useViewer } from '../../shell/viewer.ts'
import { BalanceCard } from './BalanceCard.tsx'
import { EntryTable } from './EntryTable.tsx'
import { PeriodPicker } from './PeriodPicker.tsx'
import { periodName } from './periodName.ts'
import { SummaryCard } from './SummaryCard.tsx'
import { momentsOf, shownDays } from './statementSearch.ts'
import { TotalsCard } from './TotalsCard.tsx'
import { useCoverage } from './useCoverage.ts'

const route = getRouteApi('/shell/statement')
const PAGE_ROWS = 50

export function StatementPage() {
  const days = shownDays(route.useSearch())
  const navigate = route.useNavigate()
  const { asCompany } = useViewer()
  const keys = useKeyNames()
  const company = useCompanyName()
  const period = momentsOf(days)
  const isPeriod = days.from <= days.to
  const statement = useInfiniteQuery({
    queryKey: ['company', asCompany, 'statement', period],
    queryFn: ({ pageParam }) =>
      execute(StatementDocument, { asCompany, ...period, first: PAGE_ROWS, after: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ statement: { entries } }) =>
      entries.pageInfo.hasNextPage ? entries.pageInfo.endCursor : null,
    enabled: isPeriod,
  })
  const shown = statement.data?.pages[0]?.statement
  const entries = statement.data?.pages.flatMap((page) => page.statement.entries.nodes) ?? []
  const coverage = useCoverage(period, entries, entries.length > 0 && !statement.hasNextPage)
  const more = statement.hasNextPage && (
    <Button busy={statement.isFetchingNextPage} onClick={() => void statement.fetchNextPage()}>
      Show later entries
    </Button>
  )
  return (
    <Page title={isPeriod ? `Statement, ${periodName(days)}` : 'Statement'} description={company}>
      <PeriodPicker days={days} onPick={(search) => void navigate({ search: () => search, replace: true })} />
      {statement.error && <ErrorBox error={statement.error} onRetry={() => void statement.refetch()} />}
      {isPeriod && (shown || !statement.error) && <SummaryCard statement={shown} coverage={coverage} />}
      {isPeriod && <BalanceCard key={`${asCompany} ${days.from} ${days.to}`} period={period} />}
      <Card title={shown ? `${shown.count.toLocaleString()} ${shown.count === 1 ? 'entry' : 'entries'}` : 'Entries'}>
        {isPeriod && statement.isPending && <Skeleton lines={8} />}
        {(!isPeriod || shown?.count === 0) && (
          <EmptyState title="No entries in this period">
            {isPeriod
              ? 'The ledger did not change. Choose an earlier or longer period.'
              : 'The period ends before it begins. Choose another day.'}
          </EmptyState>
        )}
        {entries.length > 0 && (
          <EntryTable entries={entries} coveredTo={coverage.data?.coveredTo ?? -1} keys={keys} foot={more || null} />
        )}
      </Card>
      {shown && shown.count > 0 && <TotalsCard period={period} keys={keys} />}
    </Page>
  )
}
