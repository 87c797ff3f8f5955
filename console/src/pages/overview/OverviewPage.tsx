import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { lastDays, utcDayStart } from '../../api/now.ts'
import { SpendDocument } from '../../graphql/generated.ts'
import { Card } from '../../parts/Card.tsx'
import { Chart } from '../../parts/charts/Chart.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Page } from '../../parts/Page.tsx'
import { Segments } from '../../parts/Segments.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Money } from '../../parts/values/Money.tsx'
import { useBalance } from '../../shell/balance.tsx'
import { KeyName } from '../../shell/KeyName.tsx'
import { useCompanyName } from '../../shell/useCompanyName.ts'
import { useKeyNames } from '../../shell/useKeyNames.ts'
import { useLiveCalls } from '../../shell/useLiveCalls.ts'
import { useCompanyQuery, useViewer } from '../../shell/viewer.ts'
import { Figure, Figures } from './Figures.tsx'
import { Notices } from './Notices.tsx'
import { daysLeft, spendOf } from './spend.ts'
import { TopList } from './TopList.tsx'

const RANGES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const
type Range = (typeof RANGES)[number]['value']

/** How often usage is refetched: after calls, without live updates, and in any case. */
const AFTER_CALLS_MS = 3_000
const WITHOUT_NEWS_MS = 5_000
const IN_ANY_CASE_MS = 60_000

export function OverviewPage() {
  const { asCompany, may } = useViewer()
  const company = useCompanyName()
  const [range, setRange] = useState<Range>('30')
  const count = Number(range)
  const balance = useBalance()
  const queries = useQueryClient()
  const readAgain = useSoon(
    () => void queries.invalidateQueries({ queryKey: ['company', asCompany, SpendDocument.toString()] }),
    AFTER_CALLS_MS,
  )
  const isLive = useLiveCalls({ onCalls: readAgain, onGap: readAgain })
  const refetchInterval = isLive ? IN_ANY_CASE_MS : WITHOUT_NEWS_MS
  const usage = useCompanyQuery(SpendDocument, lastDays(count), { refetchInterval })
  const names = useKeyNames()
  const nodes = usage.data?.days.nodes
  const spend = useMemo(
    () =>
      nodes &&
      spendOf(
        nodes,
        Array.from({ length: count }, (_, n) => utcDayStart(count - 1 - n)),
      ),
    [nodes, count],
  )
  const micros = balance.data && BigInt(balance.data.creditBalance.amountMicros)
  const left = micros !== undefined && spend ? daysLeft(micros, spend) : null
  const error = balance.error ?? usage.error
  const retry = () => void Promise.all([balance.refetch(), usage.refetch()])
  return (
    <Page
      title="Overview"
      description={company}
      action={<Segments label="Period shown" options={RANGES} value={range} onPick={setRange} />}
    >
      <Notices balanceMicros={micros} daysLeft={left} />
      {error && <ErrorBox error={error} onRetry={retry} />}
      <Figures>
        {may('readMoney') && (
          <Figure name="Balance" beside={`credits${lasting(left)}`} failed={balance.isError}>
            {micros === undefined ? null : <Money micros={micros} short />}
          </Figure>
        )}
        <Figure name="Spent" beside={`credits in ${range} days`} failed={usage.isError}>
          {spend && <Money micros={spend.totalMicros} short />}
        </Figure>
        <Figure name="Calls" beside={`in ${range} days`} failed={usage.isError}>
          {spend && <span className="number">{spend.requests.toLocaleString()}</span>}
        </Figure>
        <Figure name="Failed" beside="calls, which are free" failed={usage.isError}>
          {spend && <span className="number">{spend.failures.toLocaleString()}</span>}
        </Figure>
      </Figures>
      <Card title="Credits per day, by model">
        {usage.isPending && <Skeleton lines={6} />}
        {!spend && usage.isError && <EmptyState title="Not read">The message above says why.</EmptyState>}
        {spend && spend.series.length === 0 && (
          <EmptyState
            title="No calls in this period"
            action={may('changeKeys') ? <Link to="/keys">Create a key</Link> : null}
          >
            {may('changeKeys') && 'Create a key and call the gateway with it. '}
            Each call appears here a moment after it ends.
          </EmptyState>
        )}
        {spend && spend.series.length > 0 && (
          <div className="inside">
            <Chart
              label={`Credits spent on each of the last ${range} days, by model`}
              days={spend.days}
              series={spend.series}
            />
          </div>
        )}
      </Card>
      {usage.data && spend && spend.requests > 0 && (
        <div className="halves">
          <TopList
            title="Top keys"
            header="Key"
            entries={usage.data.keys.nodes}
            name={(id) => <KeyName id={id} names={names} />}
          />
          <TopList title="Top labels" header="Label" entries={usage.data.labels.nodes} name={(label) => label} />
        </div>
      )}
    </Page>
  )
}

/** Beyond this, one week's rate says little. */
const DAYS_LEFT_MAX = 365

function lasting(days: number | null): string {
  if (days === null) return ''
  if (days > DAYS_LEFT_MAX) return ', enough for more than a year'
  return days === 0 ? ', enough for less than a day' : `, enough for about ${days} ${days === 1 ? 'day' : 'days'}`
}

/** Throttles a function: all calls within the time lead to one, at its end. */
function useSoon(act: () => void, ms: number): () => void {
  const latest = useRef(act)
  const timer = useRef<number | undefined>(undefined)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => () => window.clearTimeout(timer.current), [])
  return useCallback(() => {
    if (timer.current !== undefined) return
    timer.current = window.setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, ms)
  }, [ms])
}
