import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { execute } from '../../api/execute.ts'
import { utcDayStart } from '../../api/now.ts'
import { PeopleDocument, TrailDocument } from '../../graphql/generated.ts'
import { Banner } from '../../parts/Banner.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Page } from '../../parts/Page.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { useKeyNames } from '../../shell/useKeyNames.ts'
import { useCompanyQuery, useViewer } from '../../shell/viewer.ts'
import { TrailFilters } from './TrailFilters.tsx'
import { TrailTable } from './TrailTable.tsx'

const route = getRouteApi('/shell/trail')
const PAGE_ROWS = 50

export function TrailPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { asCompany } = useViewer()
  const keys = useKeyNames()
  const people = useCompanyQuery(PeopleDocument, {})
  const users = new Map(people.data?.users.map(({ id, email }) => [id, email]))
  const filter = {
    correlationId: search.correlation ?? null,
    userId: search.user ?? null,
    keyId: search.key ?? null,
    type: search.type ?? null,
    from: search.days ? utcDayStart(search.days - 1) : null,
  }
  const trail = useInfiniteQuery({
    queryKey: ['company', asCompany, 'trail', filter],
    queryFn: ({ pageParam }) => execute(TrailDocument, { asCompany, filter, first: PAGE_ROWS, after: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ trail: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
  })
  const entries = trail.data?.pages.flatMap((page) => page.trail.nodes) ?? []
  const more = trail.hasNextPage && (
    <Button busy={trail.isFetchingNextPage} onClick={() => void trail.fetchNextPage()}>
      Show older entries
    </Button>
  )
  return (
    <Page title="Trail" description="Who did what, newest first, including access by the operator.">
      <TrailFilters
        search={search}
        keys={keys}
        users={users}
        entries={trail.data && entries}
        onChange={(changed) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })}
      />
      {search.correlation && (
        <Banner
          action={
            <Link to="/trail" search={{}}>
              Show everything
            </Link>
          }
        >
          Everything caused by one request, payment event or task: <code>{search.correlation}</code>
        </Banner>
      )}
      <Card>
        {trail.isPending && <Skeleton lines={8} />}
        {trail.error && <ErrorBox error={trail.error} onRetry={() => void trail.refetch()} />}
        {trail.data && entries.length === 0 && (
          <EmptyState title="Nothing matches">
            Choose other filters or a longer period. Calls are not part of the trail; they have their own page.
          </EmptyState>
        )}
        {entries.length > 0 && <TrailTable entries={entries} foot={more || null} />}
      </Card>
    </Page>
  )
}
