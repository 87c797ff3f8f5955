import type { JobEvent } from '../../contracts/events/job.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type JobRow = {
  readonly jobId: string
  readonly companyId: string
  readonly title: string
  readonly status: 'DRAFT' | 'ACTIVE' | 'CLOSED'
  readonly location: string | null
  readonly employmentType: string | null
  readonly seniority: string | null
  readonly requirements: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
  readonly postedAt: string
  readonly publishedAt: string | null
  readonly closedAt: string | null
}

export const jobs: Projection<JobRow, JobEvent> = {
  name: 'jobs',
  version: 1,
  categories: ['job'],
  table: 'jobs',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['jobId'],
  rowsOf: (event) => [{ jobId: event.data.jobId }],
  evolve: (row, event) => {
    if (event.type === 'JobPosted') {
      return { ...event.data, status: 'DRAFT', publishedAt: null, closedAt: null }
    }
    if (!row) throw new Error(`${event.type} of job ${event.data.jobId}, which was never posted`)
    switch (event.type) {
      case 'JobPublished':
        return { ...row, status: 'ACTIVE', publishedAt: event.data.publishedAt }
      case 'JobClosed':
        return { ...row, status: 'CLOSED', closedAt: event.data.closedAt }
      default:
        return unexpected(event)
    }
  },
}
