import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { execute } from '../../api/execute.ts'
import { utcDayStart } from '../../api/now.ts'
import { CallsDocument } from '../../graphql/generated.ts'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Page } from '../../parts/Page.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { useKeyNames } from '../../shell/useKeyNames.ts'
import { useLiveCalls } from '../../shell/useLiveCalls.ts'
import { useViewer } from '../../shell/viewer.ts'
import { CallFilters } from './CallFilters.tsx'
import { CallTable } from './CallTable.tsx'
import type { CallsSearch } from './callsSearch.ts'
import { type CallPages, withCalls } from './liveCalls.ts'

const route = getRouteApi('/shell/calls')
const PAGE_ROWS = 50
/** How often the first page is refetched: without live updates, and with them. */
const WITHOUT_NEWS_MS = 5_000
const IN_ANY_CASE_MS = 60_000

export function CallsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { asCompany, may } = useViewer()
  const keys = useKeyNames()
  const filters = {
    keyId: search.key ?? null,
    alias: search.alias ?? null,
    label: search.label ?? null,
    state: search.state ?? null,
    from: search.days ? utcDayStart(search.days - 1) : null,
  }
  const queries = useQueryClient()
  const queryKey = ['company', asCompany, 'calls', filters]
  const readAgain = () => {
    const shown = queries.getQueryData<CallPages>(queryKey)
    if (shown?.pages.length === 1) void queries.invalidateQueries({ queryKey })
  }
  const isLive = useLiveCalls({
    onCalls: (arrived) => {
      const shown = queries.getQueryData<CallPages>(queryKey)
      const list = shown && withCalls(shown, arrived, filters)
      if (list === null) readAgain()
      else queries.setQueryData(queryKey, list)
    },
    onGap: readAgain,
  })
  const calls = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => execute(CallsDocument, { asCompany, first: PAGE_ROWS, after: pageParam, ...filters }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ calls: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    refetchInterval: ({ state }) => {
      if (state.data && state.data.pages.length > 1) return false
      return isLive ? IN_ANY_CASE_MS : WITHOUT_NEWS_MS
    },
  })
  const rows = calls.data?.pages.flatMap((page) => page.calls.nodes) ?? []
  const isFiltered = Object.values(filters).some((value) => value !== null)
  const more = calls.hasNextPage && (
    <Button busy={calls.isFetchingNextPage} onClick={() => void calls.fetchNextPage()}>
      Show older calls
    </Button>
  )
  const change = (changed: Partial<CallsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  return (
    <Page title="Calls" description="All finished calls, newest first.">
      <CallFilters search={search} keys={keys} onChange={change} />
      <Card>
        {calls.isPending && <Skeleton lines={8} />}
        {calls.error && <ErrorBox error={calls.error} onRetry={() => void calls.refetch()} />}
        {calls.data && rows.length === 0 && (
          <EmptyState
            title={isFiltered ? 'No call matches' : 'No calls yet'}
            action={!isFiltered && may('changeKeys') ? <Link to="/keys">Create a key</Link> : null}
          >
            {isFiltered
              ? 'Choose other filters or a longer period.'
              : 'Call the gateway with a key. Each call appears here a moment after it ends, with its cost.'}
          </EmptyState>
        )}
        {rows.length > 0 && <CallTable calls={rows} keys={keys} foot={more || null} />}
      </Card>
    </Page>
  )
}
