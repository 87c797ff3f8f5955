import { z } from 'zod'
import { isUuid } from '../../../contracts/uuid.ts'
import { parseTime } from '../../../platform/clock/clock.ts'
import { route } from '../../../platform/http/route.ts'
import type { JobRow } from '../../../projections/jobs/projection.ts'
import type { JobPlace } from '../../../projections/jobs/queries.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { invalidRequest } from '../gatewayError.ts'
import type { RequestContext } from '../requestContext.ts'
import { MOUNT } from './mount.ts'

const JOBS_PAGE_DEFAULT = 50
const JOBS_PAGE_MAX = 200

export const jobsLimit = z.int().min(1).max(JOBS_PAGE_MAX)
export const jobsCursor = z.string().meta({ description: 'next_cursor of the page before' })

const jobsQuery = z.looseObject({
  limit: z
    .string()
    .refine((text) => /^\d{1,4}$/.test(text) && jobsLimit.safeParse(Number(text)).success, {
      error: `'limit' must be a number from 1 to ${JOBS_PAGE_MAX}.`,
    })
    .transform(Number)
    .optional()
    .meta({ override: { type: 'integer', minimum: 1, maximum: JOBS_PAGE_MAX, default: JOBS_PAGE_DEFAULT } }),
  cursor: jobsCursor.optional(),
})

export const jobsAnswer = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      status: z.string(),
      location: z.string().nullable(),
      employment_type: z.string().nullable(),
      seniority: z.string().nullable(),
      requirements: z.array(z.string()).readonly(),
      metadata: z.record(z.string(), z.unknown()),
      created_at: z.string(),
    }),
  ),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
})

export const JOBS_SUMMARY =
  "Lists the company's active job openings with their requirements and metadata, newest first."

export const jobs = (deps: GatewayDependencies) =>
  route({
    method: 'GET',
    path: `${MOUNT}/jobs`,
    access: 'key',
    scope: 'jobs:read',
    tag: 'Jobs',
    summary: JOBS_SUMMARY,
    query: jobsQuery,
    answer: jobsAnswer,
    handle: ({ caller, query }: { caller: RequestContext; query: z.infer<typeof jobsQuery> }) =>
      listJobs(deps, caller.key.companyId, query),
  })

/** A page of the company's active jobs, newest first. */
export async function listJobs(
  deps: Pick<GatewayDependencies, 'readJobs'>,
  companyId: string,
  { limit = JOBS_PAGE_DEFAULT, cursor }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
) {
  // One extra row shows whether there is a next page.
  const rows = await deps.readJobs(companyId, limit + 1, cursor === undefined ? null : readCursor(cursor))
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    object: 'list' as const,
    data: page.map(jobOf),
    has_more: last !== undefined,
    next_cursor: last ? cursorOf(last) : null,
  }
}

function jobOf(row: JobRow) {
  const { jobId, title, status, location, employmentType, seniority, requirements, metadata, postedAt } = row
  const job = { id: jobId, title, status, location, employment_type: employmentType, seniority, requirements }
  return { ...job, metadata, created_at: postedAt }
}

function cursorOf({ publishedAt, jobId }: JobRow): string {
  return Buffer.from(`${publishedAt} ${jobId}`).toString('base64url')
}

function readCursor(cursor: string): JobPlace {
  const [publishedAt = '', jobId = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (parseTime(publishedAt) === null || !isUuid(jobId) || rest.length > 0) {
    throw invalidRequest("'cursor' must be the next_cursor of a page before.")
  }
  return { publishedAt, jobId }
}
