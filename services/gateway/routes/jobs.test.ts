import { expect, test } from 'vitest'
import type { JobRow } from '../../../projections/jobs/projection.ts'
import { keyRouteCases, useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'

const job = (n: number): JobRow =>
  ({
    ...{ jobId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, companyId: 'c', title: `Job ${n}` },
    ...{ status: 'ACTIVE', location: null, employmentType: null, seniority: null, requirements: [], metadata: {} },
    ...{ postedAt: '2026-01-01T00:00:00.000Z', publishedAt: '2026-01-02T00:00:00.000Z', closedAt: null },
  }) as JobRow

const used = useGateway({ jobs: [job(3), job(2), job(1)] })

test('200: a page of jobs, and the cursor of the next one', async () => {
  const { status, json } = await used.gateway.call('/jobs?limit=2', { key: used.key })
  expect(status).toBe(200)
  expect(json.data.map(({ title }: { title: string }) => title)).toEqual(['Job 3', 'Job 2'])
  expect(json.has_more).toBe(true)
  expect((await used.gateway.call(`/jobs?cursor=${json.next_cursor}`, { key: used.key })).status).toBe(200)
})

test('200: an unknown parameter is ignored', async () => {
  expect((await used.gateway.call('/jobs?page=7', { key: used.key })).status).toBe(200)
})

test.each(['0', '201', '-1', '1.5', '1e1', '', 'ten'])('400 for a limit of %j', async (limit) => {
  const { status, json } = await used.gateway.call(`/jobs?limit=${limit}`, { key: used.key })
  expect({ status, ...json.error }).toMatchObject({ status: 400, message: "'limit' must be a number from 1 to 200." })
})

test('400 for an invalid cursor', async () => {
  const { status, json } = await used.gateway.call('/jobs?cursor=abc', { key: used.key })
  expect({ status, ...json.error }).toMatchObject({ status: 400, message: expect.stringContaining("'cursor'") })
})

keyRouteCases(used, { method: 'GET', path: '/jobs', scope: 'jobs:read' })
