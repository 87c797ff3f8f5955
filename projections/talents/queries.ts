import type { Sql } from '../runner/ports.ts'
import type { TalentRow } from './projection.ts'

/** One who was not erased. */
export type ActiveTalent = TalentRow & { readonly name: string }

/** A company's talents, the newest first; those who were erased are gone. */
export function talentsOf(sql: Sql, companyId: string, limit: number): Promise<ActiveTalent[]> {
  return sql.query<ActiveTalent>(
    `select * from read_models.talents where company_id = $1 and erased_at is null
     order by registered_at desc, talent_id desc limit $2`,
    [companyId, limit],
  )
}
