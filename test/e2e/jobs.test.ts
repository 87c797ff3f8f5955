import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { jobDecider } from '../../domain/job/decider.ts'
import { type GatewayHarness, startGatewayHarness, type TestKey } from '../support/harness/gatewayHarness.ts'
import { until } from '../support/time/until.ts'

type Job = { readonly id: string; readonly title: string; readonly status: string }
type Page = { readonly data: readonly Job[]; readonly has_more: boolean; readonly next_cursor: string | null }

let harness: GatewayHarness
let key: TestKey
beforeAll(async () => {
  harness = await startGatewayHarness()
  key = await harness.mintKey(harness.companyId, { scopes: ['jobs:read'] })
})
afterAll(() => harness.close())

const at = '2026-03-01T10:00:00.000Z'
async function send(jobId: string, companyId: string, type: 'PostJob' | 'PublishJob' | 'CloseJob', title = 'Welder') {
  const details = { location: 'Basel', employmentType: null, seniority: 'senior', metadata: { team: { size: 4 } } }
  const command =
    type === 'PostJob'
      ? ({ type, jobId, companyId, title, requirements: ['MIG'], ...details, at } as const)
      : ({ type, jobId, companyId, at } as const)
  const context = { commandId: randomUUID(), correlationId: 'test', actor: { kind: 'system', name: 'test' } } as const
  await harness.runtime.engines.commands.handle(jobDecider, streamName('job', jobId), command, context)
}
async function postActive(companyId: string, title?: string): Promise<string> {
  const jobId = randomUUID()
  await send(jobId, companyId, 'PostJob', title)
  await send(jobId, companyId, 'PublishJob')
  return jobId
}
const page = async (query = '', { raw } = key): Promise<Page> => {
  const { status, json } = await harness.call(`/llm/v1/jobs${query}`, { key: raw, method: 'GET' })
  expect(status).toBe(200)
  return json as Page
}
const titles = async () => (await page()).data.map(({ title }) => title)

test('GET /jobs lists the active jobs of the company of the key, without drafts and closed ones', async () => {
  const active = await postActive(harness.companyId, 'Active')
  const closed = await postActive(harness.companyId, 'Closed')
  await send(closed, harness.companyId, 'CloseJob')
  await send(randomUUID(), harness.companyId, 'PostJob', 'Draft')
  await postActive(await harness.registerCompany(), 'Of another company')
  await postActive(harness.companyId, 'Last')
  await until('the last job is listed', async () => (await titles()).includes('Last'))
  expect((await titles()).toSorted()).toEqual(['Active', 'Last'])
  expect((await page()).data.find(({ id }) => id === active)).toEqual({
    id: active,
    title: 'Active',
    status: 'ACTIVE',
    location: 'Basel',
    employment_type: null,
    seniority: 'senior',
    requirements: ['MIG'],
    metadata: { team: { size: 4 } },
    created_at: at,
  })
})

test('GET /jobs pages without a gap, and the last page is marked', async () => {
  const companyId = await harness.registerCompany()
  const pagedKey = await harness.mintKey(companyId, { scopes: ['jobs:read'] })
  const posted = new Set<string>()
  for (let n = 0; n < 5; n++) posted.add(await postActive(companyId, `Job ${n}`))
  await until('all are there', async () => (await page('', pagedKey)).data.length === 5)
  const seen: string[] = []
  let query = '?limit=2'
  for (let pages = 1; ; pages++) {
    const { data, has_more, next_cursor } = await page(query, pagedKey)
    seen.push(...data.map(({ id }) => id))
    expect(has_more).toBe(pages < 3)
    if (!next_cursor) break
    query = `?limit=2&cursor=${next_cursor}`
  }
  expect(seen).toHaveLength(5)
  expect(new Set(seen)).toEqual(posted)
})

test.each(['limit=0', 'limit=201', 'limit=x', 'cursor=x', 'cursor='])(
  '%s is refused, naming the field',
  async (query) => {
    const { status, json } = await harness.call(`/llm/v1/jobs?${query}`, { key: key.raw, method: 'GET' })
    expect(status).toBe(400)
    expect(json).toMatchObject({
      error: { code: 'INVALID_REQUEST', message: expect.stringContaining(`'${query.split('=')[0]}'`) },
    })
  },
)

test('GET /jobs refuses a key without the scope and answers a key without credits', async () => {
  const chatOnly = await harness.mintKey(harness.companyId, { scopes: ['inference:chat'] })
  const denied = await harness.call('/llm/v1/jobs', { key: chatOnly.raw, method: 'GET' })
  expect(denied).toMatchObject({ status: 403, json: { error: { code: 'LLM_SCOPE_DENIED' } } })
  const poor = await harness.mintKey(await harness.registerCompany(), { scopes: ['jobs:read'] })
  expect((await page('', poor)).data).toEqual([])
})
