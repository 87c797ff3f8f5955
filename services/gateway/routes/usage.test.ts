import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type MemoryGateway,
  refusedWithoutKeyOrScope,
  startMemoryGateway,
} from '../../../test/support/memoryGateway.ts'

let gateway: MemoryGateway
let key: string
beforeAll(async () => {
  gateway = await startMemoryGateway()
  key = gateway.mintKey()
})
afterAll(() => gateway.close())

test('200: usage of the last 30 days by alias, the balance and the limits', async () => {
  const { status, json } = await gateway.call('/usage', { key })
  expect(status).toBe(200)
  expect(json).toMatchObject({ object: 'usage', group_by: 'alias', data: [], balance: { credits: 1_000_000 } })
  expect(json.limits.rpm).toMatchObject({ limit: 1_000, remaining: 999 })
})

test.each([
  ['from=yesterday', "'from' must be an ISO 8601 time with a zone, or a date."],
  ['to=2026-13-01', "'to' must be an ISO 8601 time with a zone, or a date."],
  ['from=2026-02-02&to=2026-02-01', "'from' must not be after 'to'."],
  ['from=2024-01-01&to=2026-01-01', "'from' and 'to' must be at most 366 days apart."],
  ['group_by=week', "'group_by' must be one of alias, day, hour."],
])('400 for ?%s', async (query, message) => {
  const { status, json } = await gateway.call(`/usage?${query}`, { key })
  expect({ status, ...json.error }).toMatchObject({ status: 400, message, code: 'INVALID_REQUEST' })
})

test('401 without a key, 403 without the scope usage:read, 429 over the requests per minute', async () => {
  expect(await refusedWithoutKeyOrScope(gateway, '/usage', 'usage:read')).toEqual([401, 403, 429])
})

test('404 for another method and for a path that differs', async () => {
  const answers = [
    await gateway.call('/usage', { key, method: 'POST' }),
    await gateway.call('/usage', { key, method: 'HEAD' }),
    await gateway.call('/usage/', { key, method: 'GET' }),
    await gateway.call('/USAGE', { key, method: 'GET' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
})
