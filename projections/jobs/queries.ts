import type { Sql } from '../runner/ports.ts'
import type { JobRow } from './projection.ts'

/** The place of a job in the list of its company's active ones. */
export type JobPlace = { readonly publishedAt: string; readonly jobId: string }

/** The newest first. A page goes on behind the last job of the one before, whatever was published meanwhile. */
export function activeJobs(sql: Sql, companyId: string, limit: number, after: JobPlace | null): Promise<JobRow[]> {
  return sql.query<JobRow>(
    `select * from read_models.jobs
     where company_id = $1 and status = 'ACTIVE' and ($3::timestamptz is null or (published_at, job_id) < ($3, $4::uuid))
     order by published_at desc, job_id desc limit $2`,
    [companyId, limit, after?.publishedAt ?? null, after?.jobId ?? null],
  )
}

/** All of a company, drafts and closed ones too, the newest first. */
export function jobsOf(sql: Sql, companyId: string, limit: number): Promise<JobRow[]> {
  return sql.query<JobRow>(
    'select * from read_models.jobs where company_id = $1 order by posted_at desc, job_id limit $2',
    [companyId, limit],
  )
}
