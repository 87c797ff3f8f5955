import type { Sql } from '../runner/ports.ts'
import type { TrailRow } from './projection.ts'

/** The place of an entry in the trail. */
export type TrailPlace = { readonly recordedAt: string; readonly stream: string; readonly revision: string }

export type TrailQuery = {
  /** The entries of one company; null: of all companies and of the platform. */
  readonly companyId: string | null
  /** What the user did, and what concerns them. */
  readonly userId: string | null
  /** What was done with the key, and what concerns it. */
  readonly keyId: string | null
  /** What concerns the purchase or invoice, and everything else caused by the same requests. */
  readonly purchaseId: string | null
  readonly invoiceId: string | null
  readonly correlationId: string | null
  readonly type: string | null
  /** Types that the reader may not see. */
  readonly hidden: readonly string[]
  /** Inclusive. */
  readonly from: string | null
  /** Exclusive. */
  readonly to: string | null
  /** Only entries before this one. */
  readonly before: TrailPlace | null
  readonly limit: number
}

const ORDER = 'order by t.recorded_at desc, t.stream desc, t.revision desc'

/** Keys and users name their company only once: later events of their streams do not. */
const OWNING_TYPES = "('UserRegistered', 'UserJoined')"

/**
 * Newest first. Alternatives (by this user or about them; of the company by its id or by its stream) are separate
 * selects, each of which an index reads in order up to the limit; an `or` would have to read and sort all their rows.
 */
export function trailPage(sql: Sql, query: TrailQuery): Promise<TrailRow[]> {
  const values: unknown[] = []
  const value = (each: unknown) => `$${values.push(each)}`
  const limit = value(query.limit)
  const shared = sharedConditions(query, value)
  const selects = crossed(companyAlternatives(query.companyId, value), subjectAlternatives(query, value)).map(
    (conditions) => {
      const where = [...conditions, ...shared]
      const filter = where.length === 0 ? '' : `where ${where.join(' and ')}`
      return `(select t.* from read_models.trail t ${filter} ${ORDER} limit ${limit})`
    },
  )
  return sql.query<TrailRow>(`select * from (${selects.join(' union ')}) t ${ORDER} limit ${limit}`, values)
}

type Value = (each: unknown) => string

function sharedConditions(query: TrailQuery, value: Value): string[] {
  const { purchaseId, invoiceId, correlationId, type, hidden, from, to, before } = query
  const conditions: string[] = []
  const causedBy = (which: string) =>
    `t.correlation_id in (select c.correlation_id from read_models.trail c where ${which})`
  if (purchaseId !== null) conditions.push(causedBy(`c.purchase_id = ${value(purchaseId)}`))
  if (invoiceId !== null) conditions.push(causedBy(`c.invoice_id = ${value(invoiceId)}`))
  if (correlationId !== null) conditions.push(`t.correlation_id = ${value(correlationId)}`)
  if (type !== null) conditions.push(`t.type = ${value(type)}`)
  if (hidden.length > 0) conditions.push(`t.type <> all(${value(hidden)}::text[])`)
  if (from !== null) conditions.push(`t.recorded_at >= ${value(from)}`)
  if (to !== null) conditions.push(`t.recorded_at < ${value(to)}`)
  if (before !== null) {
    const place = `${value(before.recordedAt)}, ${value(before.stream)}, ${value(before.revision)}::bigint`
    conditions.push(`(t.recorded_at, t.stream, t.revision) < (${place})`)
  }
  return conditions
}

/** A user belongs to the company named by the latest event before, so that no company sees what happened in another one. */
function companyAlternatives(companyId: string | null, value: Value): string[][] {
  if (companyId === null) return [[]]
  const company = value(companyId)
  const mine = `select o.%s from read_models.trail o where o.company_id = ${company}`
  return [
    [`t.company_id = ${company}`],
    ['t.company_id is null', `t.key_id in (${mine.replace('%s', 'key_id')} and o.type = 'ApiKeyMinted')`],
    [
      't.company_id is null',
      "t.stream like 'user-%'",
      `t.user_id in (${mine.replace('%s', 'user_id')} and o.type in ${OWNING_TYPES})`,
      `(select j.company_id from read_models.trail j where j.stream = t.stream and j.revision < t.revision
          and j.type in ${OWNING_TYPES} order by j.revision desc limit 1) = ${company}`,
    ],
  ]
}

function subjectAlternatives({ userId, keyId }: TrailQuery, value: Value): string[][] {
  const either = (column: string, kind: string, id: string | null) =>
    id === null
      ? [[]]
      : [
          [`t.${column} = ${value(id)}`],
          [`t.actor_kind <> 'system'`, `t.actor_kind = '${kind}'`, `t.actor_id = ${value(id)}`],
        ]
  return crossed(either('user_id', 'user', userId), either('key_id', 'apiKey', keyId))
}

function crossed(some: string[][], others: string[][]): string[][] {
  return some.flatMap((one) => others.map((other) => [...one, ...other]))
}
