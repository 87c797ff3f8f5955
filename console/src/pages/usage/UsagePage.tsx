import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { lastDays, utcDayStart } from '../../api/now.ts'
import { saveFile } from '../../api/saveFile.ts'
import { UsageDocument, type UsageGroup } from '../../graphql/generated.ts'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { Chart } from '../../parts/charts/Chart.tsx'
import { stackedDays } from '../../parts/charts/stackedDays.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Page } from '../../parts/Page.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Money } from '../../parts/values/Money.tsx'
import { utcDay } from '../../parts/values/times.ts'
import { KeyName } from '../../shell/KeyName.tsx'
import { useKeyNames } from '../../shell/useKeyNames.ts'
import { useCompanyQuery } from '../../shell/viewer.ts'
import { usageCsv } from './csv.ts'
import { pivotOf } from './pivot.ts'
import { UsageFilters } from './UsageFilters.tsx'
import { UsageTable } from './UsageTable.tsx'
import { GROUPS } from './usageSearch.ts'

const route = getRouteApi('/shell/usage')

export function UsagePage() {
  const search = { by: 'ALIAS', days: 30, ...route.useSearch() } as const
  const navigate = route.useNavigate()
  const keys = useKeyNames()
  const filters = { ...lastDays(search.days), keyId: search.key ?? null, label: search.label ?? null }
  const groupBy = search.and ? [search.by, search.and] : [search.by]
  const table = useCompanyQuery(UsageDocument, { ...filters, groupBy })
  // The chart is always by day, however the table is grouped.
  const stackBy = groupBy.find((group) => group !== 'DAY' && group !== 'MONTH') ?? 'ALIAS'
  const chart = useCompanyQuery(UsageDocument, { ...filters, groupBy: ['DAY', stackBy] })
  const error = table.error ?? chart.error
  const nodes = table.data?.usage.nodes
  const pivot = useMemo(() => nodes && pivotOf(nodes), [nodes])
  const named = (group: UsageGroup) => (value: string) => nameOf(group, value, keys)
  const chartNodes = chart.data?.usage.nodes
  const { days } = search
  const shownDays = useMemo(() => Array.from({ length: days }, (_, n) => utcDayStart(days - 1 - n)), [days])
  const stacked = useMemo(() => chartNodes && stackedDays(chartNodes, shownDays), [chartNodes, shownDays])
  const save = () => {
    if (!nodes) return
    const csv = usageCsv(
      nodes,
      groupBy.map((group) => group.toLowerCase()),
      (value, n) => named(groupBy[n] ?? 'ALIAS')(value),
    )
    saveFile(`usage-${filters.from.slice(0, 10)}.csv`, 'text/csv', csv)
  }
  return (
    <Page
      title="Usage"
      description="The cost of calls by model, key, label and time. Days and months are in UTC."
      action={
        <Button onClick={save} disabled={!nodes?.length}>
          Download CSV
        </Button>
      }
    >
      <UsageFilters
        search={search}
        keys={keys}
        onChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
      />
      {error && <ErrorBox error={error} onRetry={() => void Promise.all([table.refetch(), chart.refetch()])} />}
      {nodes?.length === 0 && (
        <Card>
          <EmptyState title="No calls in this period">Choose a longer period or other filters.</EmptyState>
        </Card>
      )}
      {stacked && stacked.length > 0 && (
        <Card title={`Credits per day, by ${labelOf(stackBy).toLowerCase()}`}>
          <div className="inside">
            <Chart
              label={`Credits spent on each of the last ${days} days, by ${labelOf(stackBy).toLowerCase()}`}
              days={shownDays}
              series={stacked.map((one) => ({ ...one, name: named(stackBy)(one.name) }))}
            />
          </div>
        </Card>
      )}
      <Card
        title={`By ${groupBy.map(labelOf).join(' and ').toLowerCase()}`}
        action={
          pivot && (
            <span>
              <Money micros={pivot.total.micros} /> credits
            </span>
          )
        }
      >
        {table.isPending && <Skeleton lines={6} />}
        {pivot && pivot.rows.length > 0 && (
          <UsageTable
            pivot={pivot}
            header={labelOf(search.by)}
            rowName={search.by === 'KEY' ? (id) => <KeyName id={id} names={keys} /> : named(search.by)}
            columnName={named(search.and ?? 'ALIAS')}
          />
        )}
      </Card>
    </Page>
  )
}

function labelOf(group: UsageGroup): string {
  return GROUPS.find(({ value }) => value === group)?.label ?? group
}

function nameOf(group: UsageGroup, value: string, keys: ReadonlyMap<string, string>): string {
  if (group === 'KEY') return keys.get(value) ?? value.slice(0, 8)
  if (group === 'DAY') return utcDay(value)
  if (group === 'MONTH') return value.slice(0, 7)
  return value
}
