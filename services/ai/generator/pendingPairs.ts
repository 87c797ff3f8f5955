import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { JobRow } from '../../../projections/jobs/projection.ts'
import { activeAmongJobs, activeJobsById, companiesWithActiveJobs } from '../../../projections/jobs/queries.ts'
import { scoredFrom } from '../../../projections/matchScores/queries.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import type { TalentRow } from '../../../projections/talents/projection.ts'
import { activeAmongTalents, talentsById } from '../../../projections/talents/queries.ts'
import { type JobCandidate, jobCandidate, type TalentCandidate, talentCandidate } from './candidates.ts'

const MATCH_BLOCK_JOBS_MAX = 100
const MATCH_BLOCK_TALENTS_MAX = 1_000

export type PendingPair = { readonly job: JobCandidate; readonly talent: TalentCandidate }

const COMPANIES_PER_PAGE = 100

/** Yields, in blocks, every pair of an active job and a talent of its company that has no score or an outdated one. */
export async function* allPending(sql: Sql): AsyncGenerator<PendingPair[]> {
  for await (const companyId of companies(sql)) yield* between(sql, jobPages(sql, companyId), companyId, null)
}

export type Changed = { readonly jobs: ReadonlySet<string>; readonly talents: ReadonlySet<string> }

/** Like allPending, but only for these jobs and talents. */
export async function* pendingOf(sql: Sql, changed: Changed): AsyncGenerator<PendingPair[]> {
  for (const ids of pagesOf([...changed.jobs], MATCH_BLOCK_JOBS_MAX)) {
    const byCompany = Map.groupBy(await activeAmongJobs(sql, ids), (row) => row.companyId)
    for (const [companyId, rows] of byCompany) yield* between(sql, once(rows), companyId, null)
  }
  for (const ids of pagesOf([...changed.talents], MATCH_BLOCK_TALENTS_MAX)) {
    const byCompany = Map.groupBy(await activeAmongTalents(sql, ids), (row) => row.companyId)
    for (const [companyId, rows] of byCompany) {
      yield* between(sql, withoutJobs(jobPages(sql, companyId), changed.jobs), companyId, rows)
    }
  }
}

/** `talentRows` is null for all talents of the company. */
async function* between(
  sql: Sql,
  pages: AsyncIterable<JobRow[]>,
  companyId: string,
  talentRows: readonly TalentRow[] | null,
): AsyncGenerator<PendingPair[]> {
  for await (const page of pages) {
    const jobs = page.map(jobCandidate)
    for await (const talents of talentRows ? once(talentRows) : talentPages(sql, companyId)) {
      const pending = await unscored(sql, jobs, talents.map(talentCandidate))
      if (pending.length > 0) yield pending
    }
  }
}

async function unscored(
  sql: Sql,
  jobs: readonly JobCandidate[],
  talents: readonly TalentCandidate[],
): Promise<PendingPair[]> {
  if (jobs.length === 0 || talents.length === 0) return []
  const scored = await scoredFrom(
    sql,
    jobs.map(({ id }) => id),
    talents.map(({ id }) => id),
  )
  const fresh = new Set(scored.map((row) => `${row.jobId}${row.jobVersion}${row.talentId}${row.talentVersion}`))
  const pending: PendingPair[] = []
  for (const job of jobs) {
    await yieldToEventLoop()
    for (const talent of talents) {
      if (fresh.size > 0 && fresh.has(`${job.id}${job.version}${talent.id}${talent.version}`)) continue
      pending.push({ job, talent })
    }
  }
  return pending
}

async function* companies(sql: Sql): AsyncGenerator<string> {
  for (let after: string | null = null; ; ) {
    const page: string[] = await companiesWithActiveJobs(sql, after, COMPANIES_PER_PAGE)
    yield* page
    after = page.at(-1) ?? null
    if (page.length < COMPANIES_PER_PAGE) return
  }
}

async function* jobPages(sql: Sql, companyId: string): AsyncGenerator<JobRow[]> {
  for (let after: string | null = null; ; ) {
    const page: JobRow[] = await activeJobsById(sql, companyId, after, MATCH_BLOCK_JOBS_MAX)
    if (page.length > 0) yield page
    after = page.at(-1)?.jobId ?? null
    if (page.length < MATCH_BLOCK_JOBS_MAX) return
  }
}

async function* talentPages(sql: Sql, companyId: string): AsyncGenerator<TalentRow[]> {
  for (let after: string | null = null; ; ) {
    const page: TalentRow[] = await talentsById(sql, companyId, after, MATCH_BLOCK_TALENTS_MAX)
    if (page.length > 0) yield page
    after = page.at(-1)?.talentId ?? null
    if (page.length < MATCH_BLOCK_TALENTS_MAX) return
  }
}

async function* withoutJobs(pages: AsyncIterable<JobRow[]>, ids: ReadonlySet<string>): AsyncGenerator<JobRow[]> {
  for await (const page of pages) yield page.filter((row) => !ids.has(row.jobId))
}

async function* once<Rows>(rows: Rows): AsyncGenerator<Rows> {
  yield rows
}

function pagesOf(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, page) => ids.slice(page * size, (page + 1) * size))
}
