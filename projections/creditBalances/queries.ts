import type { Sql } from '../runner/ports.ts'
import type { CreditBalanceRow } from './projection.ts'

export async function balanceOf(sql: Sql, companyId: string): Promise<CreditBalanceRow | null> {
  const [row] = await sql.query<CreditBalanceRow>('select * from read_models.credit_balances where company_id = $1', [
    companyId,
  ])
  return row ?? null
}

export function allBalances(sql: Sql): Promise<CreditBalanceRow[]> {
  return sql.query<CreditBalanceRow>('select * from read_models.credit_balances')
}
