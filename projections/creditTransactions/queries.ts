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
