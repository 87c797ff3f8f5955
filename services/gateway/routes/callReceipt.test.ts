import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyRouteCases, useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'

const used = useGateway()
const ID = randomUUID()

keyRouteCases(used, { method: 'GET', path: `/calls/${ID}/receipt`, scope: 'usage:read' })

test('404 with retry-after for a call that no checkpoint covers', async () => {
  const { status, headers, json } = await used.gateway.call(`/calls/${ID}/receipt`, { key: used.key })
  expect({ status, ...json.error }).toMatchObject({ status: 404, type: 'not_found_error', code: null })
  expect(headers['retry-after']).toBe('10')
})

test('404 without retry-after for an invalid call id', async () => {
  const { status, headers } = await used.gateway.call('/calls/abc/receipt', { key: used.key })
  expect([status, headers['retry-after']]).toEqual([404, undefined])
})

test.for(['-1', '1.5', '1e3', '007', '', 'x', '99999999999999999999'])('400 for since=%s', async (since) => {
  const { status, json } = await used.gateway.call(`/calls/${ID}/receipt?since=${since}`, { key: used.key })
  expect({ status, ...json.error }).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
  expect(json.error.message).toContain("'since'")
})
