import type { JobEvent } from '../../contracts/events/job.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type JobRow = {
  readonly job_id: string
  readonly company_id: string
  readonly title: string
  readonly status: 'DRAFT' | 'ACTIVE' | 'CLOSED'
  readonly location: string | null
  readonly employment_type: string | null
  readonly seniority: string | null
  readonly requirements: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
  readonly posted_at: string
  readonly published_at: string | null
  readonly closed_at: string | null
}

export const jobs: Projection<JobRow, JobEvent> = {
  name: 'jobs',
  version: 1,
  categories: ['job'],
  table: 'jobs',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['job_id'],
  rowsOf: (event) => [{ job_id: event.data.jobId }],
  evolve: (row, event) => {
    if (event.type === 'JobPosted') {
      const { jobId, companyId, employmentType, postedAt, ...rest } = event.data
      const place = { job_id: jobId, company_id: companyId, status: 'DRAFT' } as const
      const times = { posted_at: postedAt, published_at: null, closed_at: null }
      return { ...place, ...rest, employment_type: employmentType, ...times }
    }
    if (!row) throw new Error(`${event.type} of job ${event.data.jobId}, which was never posted`)
    switch (event.type) {
      case 'JobPublished':
        return { ...row, status: 'ACTIVE', published_at: event.data.publishedAt }
      case 'JobClosed':
        return { ...row, status: 'CLOSED', closed_at: event.data.closedAt }
      default:
        return unexpected(event)
    }
  },
}
