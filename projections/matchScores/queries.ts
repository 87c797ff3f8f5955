import type { Sql } from '../runner/ports.ts'
import type { MatchScoreRow } from './projection.ts'

/** Best first, without erased talents. */
export function scoresOfJob(sql: Sql, companyId: string, jobId: string, limit: number): Promise<MatchScoreRow[]> {
  return sql.query<MatchScoreRow>(
    `select s.* from read_models.match_scores s join read_models.talents t using (talent_id)
     where s.job_id = $1 and s.company_id = $2 and t.erased_at is null
     order by s.score desc, s.talent_id limit $3`,
    [jobId, companyId, limit],
  )
}

/** null if it is not computed yet. */
export async function scoreOfPair(sql: Sql, jobId: string, talentId: string): Promise<number | null> {
  const [row] = await sql.query<Pick<MatchScoreRow, 'score'>>(
    'select score from read_models.match_scores where job_id = $1 and talent_id = $2',
    [jobId, talentId],
  )
  return row?.score ?? null
}

export type ScoredFrom = Pick<MatchScoreRow, 'jobId' | 'talentId' | 'jobVersion' | 'talentVersion'>

/** The versions that the existing scores of these pairs were computed from. */
export function scoredFrom(sql: Sql, jobIds: readonly string[], talentIds: readonly string[]): Promise<ScoredFrom[]> {
  return sql.query<ScoredFrom>(
    `select job_id, talent_id, job_version, talent_version from read_models.match_scores
     where job_id = any($1) and talent_id = any($2)`,
    [jobIds, talentIds],
  )
}
