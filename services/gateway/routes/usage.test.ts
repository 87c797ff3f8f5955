import { expect, test } from 'vitest'
import { keyRouteCases, useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'

const used = useGateway()

test('200: usage of the last 30 days by alias, the balance and the limits', async () => {
  const { status, json } = await used.gateway.call('/usage', { key: used.key })
  expect(status).toBe(200)
  expect(json).toMatchObject({ object: 'usage', group_by: 'alias', data: [], balance: { credits: 1_000_000 } })
  expect(json.limits.rpm).toMatchObject({ limit: 1_000, remaining: 999 })
})

test.each([
  ['from=yesterday', "'from' must be an ISO 8601 time with a zone, or a date."],
  ['to=2026-13-01', "'to' must be an ISO 8601 time with a zone, or a date."],
  ['from=2026-02-02&to=2026-02-01', "'from' must not be after 'to'."],
  ['from=2024-01-01&to=2026-01-01', "'from' and 'to' must be at most 366 days apart."],
  ['group_by=week', "'group_by' must be one or two of alias, key, label, hour, day, month, separated by a comma."],
  ['group_by=day,day', "'group_by' must be one or two of alias, key, label, hour, day, month, separated by a comma."],
  [
    'group_by=day,key,alias',
    "'group_by' must be one or two of alias, key, label, hour, day, month, separated by a comma.",
  ],
])('400 for ?%s', async (query, message) => {
  const { status, json } = await used.gateway.call(`/usage?${query}`, { key: used.key })
  expect({ status, ...json.error }).toMatchObject({ status: 400, message, code: 'INVALID_REQUEST' })
})

keyRouteCases(used, { method: 'GET', path: '/usage', scope: 'usage:read' })
