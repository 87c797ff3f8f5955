import type { Sql } from '../runner/ports.ts'
import type { TalentRow } from './projection.ts'

/** A talent who is not erased. */
export type ActiveTalent = TalentRow & { readonly name: string }

/** A company's talents, the newest first, without erased ones. */
export function talentsOf(sql: Sql, companyId: string, limit: number): Promise<ActiveTalent[]> {
  return sql.query<ActiveTalent>(
    `select * from read_models.talents where company_id = $1 and erased_at is null
     order by registered_at desc, talent_id desc limit $2`,
    [companyId, limit],
  )
}

/** A company's talents in the order of their ids, without erased ones. */
export function talentsById(sql: Sql, companyId: string, after: string | null, limit: number): Promise<ActiveTalent[]> {
  return sql.query<ActiveTalent>(
    `select * from read_models.talents
     where company_id = $1 and erased_at is null and ($2::uuid is null or talent_id > $2) order by talent_id limit $3`,
    [companyId, after, limit],
  )
}

/** The talents among these who are not erased. */
export function activeAmongTalents(sql: Sql, talentIds: readonly string[]): Promise<ActiveTalent[]> {
  return sql.query<ActiveTalent>('select * from read_models.talents where talent_id = any($1) and erased_at is null', [
    talentIds,
  ])
}
