import type { Sql } from '../runner/ports.ts'
import type { JobRow } from './projection.ts'

/** The position of a job in the list of its company's active jobs. */
export type JobPlace = { readonly publishedAt: string; readonly jobId: string }

/** Newest first. A page continues after the last job of the previous page, whatever was published meanwhile. */
export function activeJobs(sql: Sql, companyId: string, limit: number, after: JobPlace | null): Promise<JobRow[]> {
  return sql.query<JobRow>(
    `select * from read_models.jobs
     where company_id = $1 and status = 'ACTIVE' and ($3::timestamptz is null or (published_at, job_id) < ($3, $4::uuid))
     order by published_at desc, job_id desc limit $2`,
    [companyId, limit, after?.publishedAt ?? null, after?.jobId ?? null],
  )
}

/** Companies that have active jobs, in the order of their ids. */
export async function companiesWithActiveJobs(sql: Sql, after: string | null, limit: number): Promise<string[]> {
  const rows = await sql.query<{ companyId: string }>(
    `select distinct company_id from read_models.jobs
     where status = 'ACTIVE' and ($1::uuid is null or company_id > $1) order by company_id limit $2`,
    [after, limit],
  )
  return rows.map((row) => row.companyId)
}

/** A company's active jobs, in the order of their ids. */
export function activeJobsById(sql: Sql, companyId: string, after: string | null, limit: number): Promise<JobRow[]> {
  return sql.query<JobRow>(
    `select * from read_models.jobs
     where company_id = $1 and status = 'ACTIVE' and ($2::uuid is null or job_id > $2) order by job_id limit $3`,
    [companyId, after, limit],
  )
}

/** The active jobs among these. */
export function activeAmongJobs(sql: Sql, jobIds: readonly string[]): Promise<JobRow[]> {
  return sql.query<JobRow>(`select * from read_models.jobs where job_id = any($1) and status = 'ACTIVE'`, [jobIds])
}

/** All jobs of a company, including drafts and closed ones, the newest first. */
export function jobsOf(sql: Sql, companyId: string, limit: number): Promise<JobRow[]> {
  return sql.query<JobRow>(
    'select * from read_models.jobs where company_id = $1 order by posted_at desc, job_id limit $2',
    [companyId, limit],
  )
}

/** A job of this company; undefined for another company's job. */
export async function hasJob(sql: Sql, companyId: string, jobId: string): Promise<boolean> {
  const rows = await sql.query('select 1 from read_models.jobs where company_id = $1 and job_id = $2', [
    companyId,
    jobId,
  ])
  return rows.length === 1
}
