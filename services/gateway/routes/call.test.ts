import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyRouteCases, useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'

const used = useGateway()
const ID = randomUUID()

keyRouteCases(used, { method: 'GET', path: `/calls/${ID}`, scope: 'usage:read' })

test('404 with retry-after for a call that is not known here', async () => {
  const { status, headers, json } = await used.gateway.call(`/calls/${ID}`, { key: used.key })
  expect([status, json.error.type, json.error.code, headers['retry-after']]).toEqual([
    404,
    'not_found_error',
    null,
    '1',
  ])
})

test('404 without retry-after for an invalid call id', async () => {
  const { status, headers } = await used.gateway.call('/calls/abc', { key: used.key })
  expect([status, headers['retry-after']]).toEqual([404, undefined])
})
