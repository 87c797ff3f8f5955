import type { Sql } from '../runner/ports.ts'
import type { CompanyRow } from './projection.ts'

export function allCompanies(sql: Sql): Promise<CompanyRow[]> {
  return sql.query<CompanyRow>('select * from read_models.companies')
}

export async function companyById(sql: Sql, companyId: string): Promise<CompanyRow | null> {
  const [row] = await sql.query<CompanyRow>('select * from read_models.companies where company_id = $1', [companyId])
  return row ?? null
}

/** The oldest first. */
export function companiesByAge(sql: Sql, limit: number): Promise<CompanyRow[]> {
  return sql.query<CompanyRow>('select * from read_models.companies order by registered_at, company_id limit $1', [
    limit,
  ])
}
