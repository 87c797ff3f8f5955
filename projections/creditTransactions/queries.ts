import type { Sql } from '../runner/ports.ts'
import type { CreditTransactionRow } from './projection.ts'

/** A company's transactions in ledger order, a page at a time. */
export async function* transactionsOf(
  sql: Sql,
  companyId: string,
  pageRows = 5_000,
): AsyncIterable<CreditTransactionRow> {
  let after = '-1'
  for (;;) {
    const rows = await sql.query<CreditTransactionRow>(
      'select * from read_models.credit_transactions where company_id = $1 and revision > $2 order by revision limit $3',
      [companyId, after, pageRows],
    )
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return
    after = last.revision
  }
}

export type TransactionsQuery = {
  readonly companyId: string
  readonly type: string | null
  /** Inclusive. */
  readonly from: string | null
  /** Exclusive. */
  readonly to: string | null
  /** Only transactions before this revision. */
  readonly beforeRevision: string | null
  readonly limit: number
}

/** The newest first. A page continues after the last row of the previous page, whatever was booked meanwhile. */
export function transactionsPage(sql: Sql, query: TransactionsQuery): Promise<CreditTransactionRow[]> {
  const { companyId, type, from, to, beforeRevision, limit } = query
  return sql.query<CreditTransactionRow>(
    `select * from read_models.credit_transactions
     where company_id = $1 and ($2::text is null or type = $2) and ($3::timestamptz is null or occurred_at >= $3)
       and ($4::timestamptz is null or occurred_at < $4) and ($5::bigint is null or revision < $5)
     order by revision desc limit $6`,
    [companyId, type, from, to, beforeRevision, limit],
  )
}

/** The part of a company's ledger that holds its charges of a time. */
export type ChargedSpan = { readonly company_id: string; readonly first: string; readonly last: string }

/** Where the calls that finished in the time are on the ledgers: of one company, or of all if it is null. */
export function chargedSpans(sql: Sql, companyId: string | null, from: string, to: string): Promise<ChargedSpan[]> {
  return sql.query<ChargedSpan>(
    `select company_id, min(revision)::text as first, max(revision)::text as last
     from read_models.credit_transactions
     where ($1::uuid is null or company_id = $1) and occurred_at >= $2 and occurred_at < $3 and type = 'USAGE'
     group by company_id order by company_id`,
    [companyId, from, to],
  )
}
