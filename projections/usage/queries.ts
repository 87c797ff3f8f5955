import type { Sql } from '../runner/ports.ts'
import type { UsageTotals } from './callCounts.ts'
import { type Segment, segmentsOf } from './segments.ts'

export const USAGE_RANGE_DAYS_MAX = 366
/** How many groups an answer may have. There are many for hours by label. */
export const USAGE_ROWS_MAX = 50_000

export const USAGE_GROUPS = ['alias', 'key', 'label', 'hour', 'day', 'month'] as const
export type UsageGroup = (typeof USAGE_GROUPS)[number]
/** One or two different ones. */
export type UsageGroups = readonly [UsageGroup] | readonly [UsageGroup, UsageGroup]

/** What calls without a label are grouped under. */
export const NO_LABEL = '(none)'

export type UsageRange = {
  /** Inclusive, to the minute. */
  readonly from: string
  /** Exclusive, to the minute; null: no end. */
  readonly to: string | null
  readonly groupBy: UsageGroups
  /** Only calls with this label. */
  readonly label?: string | null
}

export type UsageQuery = UsageRange & { readonly keyId: string }
export type GroupedUsage = UsageTotals & { readonly group: string; readonly subgroup: string | null }

const COUNTS = ['requests', 'failures', 'tokens_in', 'tokens_out', 'charged_micros'] as const
const SUMS = COUNTS.map((count) => `sum(${count})::text as ${count}`).join(', ')

/** The usage of one key. */
export function usageByGroup(sql: Sql, query: UsageQuery): Promise<GroupedUsage[]> {
  return groupedUsage(sql, { column: 'key_id', id: query.keyId }, query)
}

/** The usage of all keys of a company, or of those that one user minted. */
export function companyUsageByGroup(
  sql: Sql,
  companyId: string,
  range: UsageRange,
  mintedBy: string | null = null,
): Promise<GroupedUsage[]> {
  return groupedUsage(sql, { column: 'company_id', id: companyId, mintedBy }, range)
}

type Whose = {
  readonly column: 'key_id' | 'company_id'
  readonly id: string
  /** Only keys of a company that this user minted. */
  readonly mintedBy?: string | null
}

/** At most one row more than the limit of an answer. */
function groupedUsage(sql: Sql, whose: Whose, range: UsageRange): Promise<GroupedUsage[]> {
  const { from, to, groupBy, label = null } = range
  const values: unknown[] = whose.mintedBy ? [whose.id, whose.mintedBy] : [whose.id]
  const value = (each: unknown) => `$${values.push(each)}`
  const segments = segmentsOf(from, to, groupBy.includes('hour') ? 'hour' : 'day').map((each) => within(each, value))
  if (segments.length === 0) return Promise.resolve([])
  const byKey = whose.column === 'key_id' || Boolean(whose.mintedBy) || groupBy.includes('key')
  const all = () => segments.map((segment) => everyCall(segment, whose, byKey))
  const labelled = (sign: '' | '-') => segments.map((segment) => labelledCalls(segment, whose, sign))
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

/** Rows of all calls, by key only if requested: a company may have many keys. */
function everyCall(within: string, whose: Whose, byKey: boolean): string {
  const counts = COUNTS.join(', ')
  if (!byKey) {
    return `select null::uuid as key_id, alias, '' as label, bucket, ${counts}
            from read_models.usage_by_company where company_id = $1 and ${within}`
  }
  // Selects by the company's keys, because the index starts with the key.
  const keys = whose.column === 'key_id' ? 'key_id = $1' : ofKeys(whose)
  return `select key_id, alias, '' as label, bucket, ${counts} from read_models.usage where ${keys} and ${within}`
}

function ofKeys({ mintedBy }: Whose): string {
  const keys = `select key_id from read_models.api_keys where company_id = $1${mintedBy ? ' and minted_by = $2' : ''}`
  return `company_id = $1 and key_id in (${keys})`
}

/** Rows of labeled calls; with a minus sign, what they subtract from the unlabeled ones. */
function labelledCalls(within: string, whose: Whose, sign: '' | '-'): string {
  const counts = COUNTS.map((count) => `${sign}${count}`).join(', ')
  return `select key_id, alias, ${sign ? "''" : 'label'} as label, bucket, ${counts}
          from read_models.usage_by_label where ${whose.mintedBy ? ofKeys(whose) : `${whose.column} = $1`} and ${within}`
}

function expressionOf(group: UsageGroup): string {
  switch (group) {
    case 'alias':
      return 'alias'
    case 'key':
      return 'key_id::text'
    case 'label':
      return `case label when '' then '${NO_LABEL}' else label end`
    default:
      return `to_char(date_trunc('${group}', bucket, 'UTC') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  }
}
