import type { JobRow } from '../../../projections/jobs/projection.ts'
import type { JobPlace } from '../../../projections/jobs/queries.ts'
import { parseTime } from '../../platform/clock/clock.ts'
import { sendJson } from '../../platform/http/answers.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { invalidRequest } from '../gatewayError.ts'
import type { GatewayRoute } from '../route.ts'

const JOBS_PAGE_DEFAULT = 50
export const JOBS_PAGE_MAX = 200

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const jobs: GatewayRoute = {
  method: 'GET',
  path: '/jobs',
  scope: 'jobs:read',
  handle: async (deps, { key, query: sent, response, headers }) => {
    const query = new URLSearchParams(sent)
    const limit = query.get('limit')
    sendJson(response, 200, await listJobs(deps, key.companyId, limit, query.get('cursor')), headers)
  },
}

/** A page of the company's active jobs, the newest first. */
export async function listJobs(
  deps: Pick<GatewayDependencies, 'readJobs'>,
  companyId: string,
  limitText: string | null,
  cursor: string | null,
) {
  const limit = readLimit(limitText)
  // One more than asked for tells whether there are more.
  const rows = await deps.readJobs(companyId, limit + 1, readCursor(cursor))
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    object: 'list',
    data: page.map(jobOf),
    has_more: last !== undefined,
    next_cursor: last ? cursorOf(last) : null,
  }
}

function jobOf(row: JobRow) {
  const { job_id, title, status, location, employment_type, seniority, requirements, metadata, posted_at } = row
  const job = { id: job_id, title, status, location, employment_type, seniority, requirements, metadata }
  return { ...job, created_at: posted_at }
}

function readLimit(text: string | null): number {
  if (text === null) return JOBS_PAGE_DEFAULT
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > JOBS_PAGE_MAX) throw invalidRequest(`'limit' must be a number from 1 to ${JOBS_PAGE_MAX}.`)
  return limit
}

function cursorOf({ published_at, job_id }: JobRow): string {
  return Buffer.from(`${published_at} ${job_id}`).toString('base64url')
}

function readCursor(cursor: string | null): JobPlace | null {
  if (cursor === null) return null
  const [publishedAt = '', jobId = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (parseTime(publishedAt) === null || !UUID.test(jobId) || rest.length > 0) {
    throw invalidRequest("'cursor' must be the next_cursor of a page before.")
  }
  return { publishedAt, jobId }
}
