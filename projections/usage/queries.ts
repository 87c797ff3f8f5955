import type { Sql } from '../runner/ports.ts'
import { bucketOf, GRANULARITIES, type Granularity } from './projection.ts'

export const USAGE_GROUPS = ['alias', 'day', 'hour'] as const
export type UsageGroup = (typeof USAGE_GROUPS)[number]

export type UsageTotals = {
  readonly requests: string
  readonly failures: string
  readonly tokens_in: string
  readonly tokens_out: string
  readonly charged_micros: string
}

export type UsageQuery = {
  readonly keyId: string
  /** Inclusive, to the minute. */
  readonly from: string
  /** Exclusive, to the minute; null: no end. */
  readonly to: string | null
  readonly groupBy: UsageGroup
}

const SUMS = `sum(requests)::text as requests, sum(failures)::text as failures, sum(tokens_in)::text as tokens_in,
  sum(tokens_out)::text as tokens_out, sum(charged_micros)::text as charged_micros`

export function usageByGroup(sql: Sql, query: UsageQuery): Promise<(UsageTotals & { group: string })[]> {
  const group =
    query.groupBy === 'alias'
      ? 'alias'
      : `to_char(date_trunc('${query.groupBy}', bucket, 'UTC') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return sql.query<UsageTotals & { group: string }>(
    `select ${group} as "group", ${SUMS} from read_models.usage
     where key_id = $1 and granularity = $2 and bucket >= $3 and ($4::timestamptz is null or bucket < $4)
     group by 1 order by 1`,
    [query.keyId, coarsest(query), query.from, query.to],
  )
}

/** The coarsest buckets that cut the range exactly: a month by alias adds up 30 days, not 43,200 minutes. */
function coarsest({ from, to, groupBy }: UsageQuery): Granularity {
  const fits = (granularity: Granularity) =>
    bucketOf(from, granularity) === from &&
    (to === null || bucketOf(to, granularity) === to) &&
    !(groupBy === 'hour' && granularity === 'day')
  return GRANULARITIES.findLast(fits) ?? 'minute'
}
