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
