import { callsSeenBy } from '../apiKeys/seenBy.ts'
import type { Sql } from '../runner/ports.ts'
import type { UsageTotals } from './callCounts.ts'
import { type Segment, segmentsOf } from './segments.ts'

export const USAGE_RANGE_DAYS_MAX = 366
/** How many groups an answer may have. There are many for hours by label. */
export const USAGE_ROWS_MAX = 50_000

export const USAGE_GROUPS = ['alias', 'key', 'project', 'label', 'hour', 'day', 'month'] as const
export type UsageGroup = (typeof USAGE_GROUPS)[number]
/** One or two different ones. */
export type UsageGroups = readonly [UsageGroup] | readonly [UsageGroup, UsageGroup]

/** What calls without a label, or without a project, are grouped under. */
export const NO_NAME = '(none)'

export type UsageRange = {
  /** Inclusive, to the minute. */
  readonly from: string
  /** Exclusive, to the minute; null: no end. */
  readonly to: string | null
  readonly groupBy: UsageGroups
  /** Only calls with this label. */
  readonly label?: string | null
}

export type UsageQuery = UsageRange & { readonly companyId: string; readonly keyId: string }
export type GroupedUsage = UsageTotals & { readonly group: string; readonly subgroup: string | null }

const COUNTS = ['requests', 'failures', 'tokens_in', 'tokens_out', 'charged_micros'] as const
const SUMS = COUNTS.map((count) => `sum(${count})::text as ${count}`).join(', ')

/** The usage of one key, or what one user may see of it. */
export function usageByGroup(sql: Sql, query: UsageQuery, seenBy: string | null = null): Promise<GroupedUsage[]> {
  return groupedUsage(sql, { companyId: query.companyId, keyId: query.keyId, seenBy }, query)
}

/** The usage of all keys of a company, or what one user may see of it. */
export function companyUsageByGroup(
  sql: Sql,
  companyId: string,
  range: UsageRange,
  seenBy: string | null = null,
): Promise<GroupedUsage[]> {
  return groupedUsage(sql, { companyId, keyId: null, seenBy }, range)
}

type Whose = { readonly companyId: string; readonly keyId: string | null; readonly seenBy: string | null }

/** At most one row more than the limit of an answer. */
function groupedUsage(sql: Sql, { companyId, keyId, seenBy }: Whose, range: UsageRange): Promise<GroupedUsage[]> {
  const { from, to, groupBy, label = null } = range
  const values: unknown[] = [companyId]
  const value = (each: unknown) => `$${values.push(each)}`
  const chosen = [
    ...(keyId === null ? [] : [`key_id = ${value(keyId)}`]),
    ...(seenBy === null ? [] : [callsSeenBy(value(seenBy), 'text')]),
  ]
  const segments = segmentsOf(from, to, groupBy.includes('hour') ? 'hour' : 'day').map((each) => within(each, value))
  if (segments.length === 0) return Promise.resolve([])
  const ofCompany = chosen.length === 0 && !groupBy.includes('key') && !groupBy.includes('project')
  const all = () => segments.map((segment) => (ofCompany ? callsOfCompany(segment) : everyCall(segment, chosen)))
  const labelled = (sign: '' | '-') => segments.map((segment) => labelledCalls([segment, ...chosen], sign))
  // Calls without a label are all calls minus the labeled ones.
  const rows =
    label !== null ? labelled('') : groupBy.includes('label') ? [...all(), ...labelled(''), ...labelled('-')] : all()
  const [group, subgroup = null] = groupBy
  return sql.query<GroupedUsage>(
    `select ${expressionOf(group)} as "group", ${subgroup ? expressionOf(subgroup) : 'null'} as subgroup, ${SUMS}
     from (${rows.join(' union all ')}) calls ${label === null ? '' : `where label = ${value(label)}`}
     group by 1, 2 having sum(requests) <> 0 order by 1, 2 limit ${USAGE_ROWS_MAX + 1}`,
    values,
  )
}

function within({ granularity, from, to }: Segment, value: (each: unknown) => string): string {
  const end = to === null ? '' : ` and bucket < ${value(to)}`
  return `granularity = '${granularity}' and bucket >= ${value(from)}${end}`
}

/** Rows of all calls of the company, without keys and projects: there may be many. */
function callsOfCompany(within: string): string {
  return `select null::uuid as key_id, '' as project_id, alias, '' as label, bucket, ${COUNTS.join(', ')}
          from read_models.usage_by_company where company_id = $1 and ${within}`
}

/** Rows of all calls, or of the chosen ones, by key and project. */
function everyCall(within: string, chosen: readonly string[]): string {
  // Selects by the company's keys, because the index starts with the key.
  const keys =
    chosen.length > 0 ? chosen : ['key_id in (select key_id from read_models.api_keys where company_id = $1)']
  return `select key_id, project_id, alias, '' as label, bucket, ${COUNTS.join(', ')}
          from read_models.usage where company_id = $1 and ${[within, ...keys].join(' and ')}`
}

/** Rows of labeled calls; with a minus sign, what they subtract from the unlabeled ones. */
function labelledCalls(conditions: readonly string[], sign: '' | '-'): string {
  const counts = COUNTS.map((count) => `${sign}${count}`).join(', ')
  return `select key_id, project_id, alias, ${sign ? "''" : 'label'} as label, bucket, ${counts}
          from read_models.usage_by_label where company_id = $1 and ${conditions.join(' and ')}`
}

function expressionOf(group: UsageGroup): string {
  switch (group) {
    case 'alias':
      return 'alias'
    case 'key':
      return 'key_id::text'
    case 'project':
    case 'label': {
      const column = group === 'label' ? 'label' : 'project_id'
      return `case ${column} when '' then '${NO_NAME}' else ${column} end`
    }
    default:
      return `to_char(date_trunc('${group}', bucket, 'UTC') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  }
}
