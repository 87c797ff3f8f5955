import { type LowBalanceRule, lowBalanceRuleOf } from '../../domain/ledger/lowBalanceRule.ts'
import type { Sql } from '../runner/ports.ts'
import type { CompanyRow } from './projection.ts'

export function allCompanies(sql: Sql): Promise<CompanyRow[]> {
  return sql.query<CompanyRow>('select * from read_models.companies')
}

export async function companyById(sql: Sql, companyId: string): Promise<CompanyRow | null> {
  const [row] = await sql.query<CompanyRow>('select * from read_models.companies where company_id = $1', [companyId])
  return row ?? null
}

export async function isCompanySuspended(sql: Sql, companyId: string): Promise<boolean> {
  const row = await companyById(sql, companyId)
  // The column is missing until the read model of an earlier version is rebuilt.
  return row?.suspendedAt != null
}

/** The low-balance rule of each company. Companies that have not set one are omitted. */
export async function lowBalanceRulesOf(
  sql: Sql,
  companyIds: readonly string[],
): Promise<ReadonlyMap<string, LowBalanceRule>> {
  const rows = await sql.query<CompanyRow>('select * from read_models.companies where company_id = any($1)', [
    companyIds,
  ])
  return new Map(rows.flatMap((row) => (isRuleSet(row) ? [[row.companyId, ruleOf(row)]] : [])))
}

export function ruleOf(row: Pick<CompanyRow, 'lowBalance' | 'lowBalanceMicros'>): LowBalanceRule {
  return lowBalanceRuleOf({ lowBalance: row.lowBalance ?? 'DEFAULT', lowBalanceMicros: row.lowBalanceMicros })
}

/** The column is missing until the read model of an earlier version is rebuilt. */
function isRuleSet({ lowBalance }: Partial<Pick<CompanyRow, 'lowBalance'>>): boolean {
  return lowBalance !== undefined && lowBalance !== 'DEFAULT'
}

/** The oldest first. */
export function companiesByAge(sql: Sql, limit: number): Promise<CompanyRow[]> {
  return sql.query<CompanyRow>('select * from read_models.companies order by registered_at, company_id limit $1', [
    limit,
  ])
}
