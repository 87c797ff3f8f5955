import { expect, test } from 'vitest'
import { NEVER_RETRIED } from '../../contracts/errors.ts'
import { GatewayError } from './gatewayError.ts'

test.each([...NEVER_RETRIED])('%s tells clients not to retry', (name) => {
  expect(new GatewayError(name, 'no').headers).toEqual({ 'x-should-retry': 'false' })
})

test('a wait of more than a minute tells clients not to retry, because they would do so long before', () => {
  const headers = (retryAfterSeconds: number) => new GatewayError('rateLimited', 'no', { retryAfterSeconds }).headers
  expect(headers(60)).toEqual({ 'retry-after': '60' })
  expect(headers(61)).toEqual({ 'retry-after': '61', 'x-should-retry': 'false' })
})
