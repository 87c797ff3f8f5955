import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { JobEvent } from '../../contracts/events/job.ts'
import { streamName } from '../../contracts/streams.ts'
import { jobClosed, jobPosted, jobPublished } from '../../test/support/events/controlEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { AT } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { jobs } from './projection.ts'

const jobId = randomUUID()
const companyId = randomUUID()
const rowsAfter = (...events: JobEvent[]) => [
  ...applyEvents(jobs, history(streamName('job', jobId), ...events)).values(),
]

test('a posted job is a draft', () => {
  expect(rowsAfter(jobPosted(jobId, companyId))).toEqual([
    {
      jobId,
      companyId,
      title: 'Welder',
      status: 'DRAFT',
      location: 'Zürich',
      employmentType: 'full-time',
      seniority: null,
      requirements: ['MIG', 'reads "drawings", \\ and 東京'],
      metadata: { team: { size: 4 } },
      postedAt: AT,
      publishedAt: null,
      closedAt: null,
    },
  ])
})

test('a job is active from its publication until it is closed', () => {
  const active = [jobPosted(jobId, companyId), jobPublished(jobId, companyId)]
  expect(rowsAfter(...active)).toMatchObject([{ status: 'ACTIVE', publishedAt: AT, closedAt: null }])
  expect(rowsAfter(...active, jobClosed(jobId, companyId))).toMatchObject([{ status: 'CLOSED', closedAt: AT }])
})

test('a job that was never posted cannot be published', () => {
  expect(() => rowsAfter(jobPublished(jobId, companyId))).toThrow(/never posted/)
})
