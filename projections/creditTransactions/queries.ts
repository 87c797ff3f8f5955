import type { Sql } from '../runner/ports.ts'
import type { CreditTransactionRow } from './projection.ts'

/** A company's transactions in ledger order, a page at a time. The database reads the next page while the caller works on this one. */
export async function* transactionPages(
  sql: Sql,
  companyId: string,
  pageRows = 5_000,
): AsyncIterable<readonly CreditTransactionRow[]> {
  const read = (after: string) =>
    sql.query<CreditTransactionRow>(
      'select * from read_models.credit_transactions where company_id = $1 and revision > $2 order by revision limit $3',
      [companyId, after, pageRows],
    )
  let next: Promise<CreditTransactionRow[]> | null = read('-1')
  while (next) {
    const rows: CreditTransactionRow[] = await next
    const last = rows.at(-1)
    next = last && rows.length === pageRows ? read(last.revision) : null
    // A caller may stop before it asks for that page.
    next?.catch(() => {})
    yield rows
  }
}

/** The place of a transaction in the list. */
export type TransactionPlace = { readonly occurredAt: string; readonly revision: string }

export type TransactionsQuery = {
  readonly companyId: string
  /** One of the known types. */
  readonly type: string | null
  /** Inclusive. */
  readonly from: string | null
  /** Exclusive. */
  readonly to: string | null
  /** Only transactions before this one. */
  readonly before: TransactionPlace | null
  readonly limit: number
}

/**
 * Newest first, by the time at which they occurred, so that an index serves any time range. A page continues after the
 * last row of the previous page, whatever was booked meanwhile. Only the requested filters are in the statement, so
 * that the planner finds the matching index.
 */
export function transactionsPage(sql: Sql, query: TransactionsQuery): Promise<CreditTransactionRow[]> {
  const { companyId, type, from, to, before, limit } = query
  const values: unknown[] = []
  const value = (each: unknown) => `$${values.push(each)}`
  const conditions = [`company_id = ${value(companyId)}`]
  if (type !== null) conditions.push(`type = ${value(type)}`)
  // Repeated as a literal, because the index covers only the rare types.
  if (type !== null && type !== 'USAGE') conditions.push("type <> 'USAGE'")
  if (from !== null) conditions.push(`occurred_at >= ${value(from)}`)
  if (to !== null) conditions.push(`occurred_at < ${value(to)}`)
  if (before !== null) {
    conditions.push(`(occurred_at, revision) < (${value(before.occurredAt)}, ${value(before.revision)}::bigint)`)
  }
  return sql.query<CreditTransactionRow>(
    `select * from read_models.credit_transactions where ${conditions.join(' and ')}
     order by occurred_at desc, revision desc limit ${value(limit)}`,
    values,
  )
}

/** The part of a company's ledger that contains its charges of a period. */
export type ChargedSpan = { readonly companyId: string; readonly first: string; readonly last: string }

/** Where the calls that finished in the period are on the ledgers: of one company, or of all if it is null. */
export function chargedSpans(sql: Sql, companyId: string | null, from: string, to: string): Promise<ChargedSpan[]> {
  return sql.query<ChargedSpan>(
    `select company_id, min(revision)::text as first, max(revision)::text as last
     from read_models.credit_transactions
     where ($1::uuid is null or company_id = $1) and occurred_at >= $2 and occurred_at < $3 and type = 'USAGE'
     group by company_id order by company_id`,
    [companyId, from, to],
  )
}

/** Scans the company's transactions for it: ids have no index, because lookups are rare. */
export async function transactionById(
  sql: Sql,
  companyId: string,
  transactionId: string,
): Promise<CreditTransactionRow | null> {
  const [row] = await sql.query<CreditTransactionRow>(
    'select * from read_models.credit_transactions where company_id = $1 and transaction_id = $2',
    [companyId, transactionId],
  )
  return row ?? null
}

/** With the types as literals, the planner can use the index of all types but USAGE. */
const OTHERS = "select * from read_models.credit_transactions where company_id = $1 and type <> 'USAGE'"

/** The adjustments that correct a transaction, in ledger order. */
export function correctionsOf(sql: Sql, companyId: string, transactionId: string): Promise<CreditTransactionRow[]> {
  return sql.query<CreditTransactionRow>(`${OTHERS} and type = 'ADJUSTMENT' and corrects = $2 order by revision`, [
    companyId,
    transactionId,
  ])
}

/** Corrections are omitted. */
export function adjustmentsSince(sql: Sql, companyId: string, since: string): Promise<CreditTransactionRow[]> {
  return sql.query<CreditTransactionRow>(
    `${OTHERS} and type = 'ADJUSTMENT' and corrects is null and occurred_at >= $2 order by revision`,
    [companyId, since],
  )
}

export async function reversalOf(sql: Sql, companyId: string, callId: string): Promise<CreditTransactionRow | null> {
  const [row] = await sql.query<CreditTransactionRow>(`${OTHERS} and type = 'REVERSAL' and call_id = $2`, [
    companyId,
    callId,
  ])
  return row ?? null
}
