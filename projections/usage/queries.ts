import type { Sql } from '../runner/ports.ts'
import { bucketOf, GRANULARITIES, type Granularity } from './projection.ts'

export const USAGE_RANGE_DAYS_MAX = 366

export const USAGE_GROUPS = ['alias', 'day', 'hour'] as const
export type UsageGroup = (typeof USAGE_GROUPS)[number]

export type UsageTotals = {
  readonly requests: string
  readonly failures: string
  readonly tokens_in: string
  readonly tokens_out: string
  readonly charged_micros: string
}

export type UsageRange = {
  /** Inclusive, to the minute. */
  readonly from: string
  /** Exclusive, to the minute; null: no end. */
  readonly to: string | null
  readonly groupBy: UsageGroup
}

export type UsageQuery = UsageRange & { readonly keyId: string }

const SUMS = `sum(requests)::text as requests, sum(failures)::text as failures, sum(tokens_in)::text as tokens_in,
  sum(tokens_out)::text as tokens_out, sum(charged_micros)::text as charged_micros`

export function usageByGroup(sql: Sql, query: UsageQuery): Promise<(UsageTotals & { group: string })[]> {
  return groupedUsage(sql, 'key_id = $1', query.keyId, query)
}

/** The usage of all keys of a company. */
export function companyUsageByGroup(
  sql: Sql,
  companyId: string,
  range: UsageRange,
): Promise<(UsageTotals & { group: string })[]> {
  // Selects by the company's keys, because the index starts with the key.
  const keys = 'select key_id from read_models.api_keys where company_id = $1'
  return groupedUsage(sql, `company_id = $1 and key_id in (${keys})`, companyId, range)
}

function groupedUsage(sql: Sql, whose: string, id: string, range: UsageRange) {
  const group =
    range.groupBy === 'alias'
      ? 'alias'
      : `to_char(date_trunc('${range.groupBy}', bucket, 'UTC') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return sql.query<UsageTotals & { group: string }>(
    `select ${group} as "group", ${SUMS} from read_models.usage
     where ${whose} and granularity = $2 and bucket >= $3 and ($4::timestamptz is null or bucket < $4)
     group by 1 order by 1`,
    [id, coarsest(range), range.from, range.to],
  )
}

/** The coarsest buckets that fit the range exactly: a month by alias adds up 30 days, not 43,200 minutes. */
function coarsest({ from, to, groupBy }: UsageRange): Granularity {
  const fits = (granularity: Granularity) =>
    bucketOf(from, granularity) === from &&
    (to === null || bucketOf(to, granularity) === to) &&
    !(groupBy === 'hour' && granularity === 'day')
  return GRANULARITIES.findLast(fits) ?? 'minute'
}
