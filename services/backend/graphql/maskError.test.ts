import { GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import { PaymentProviderError } from '../../../capabilities/payments/paymentProvider.ts'
import { Refusal } from '../../../domain/decider.ts'
import { StoreUnavailable } from '../../../platform/eventStore/port.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import { DatabaseUnreachable } from '../../../platform/postgres/databaseUnreachable.ts'
import { PartlyDone, shownError } from './maskError.ts'

/** The shown message and code, and the level and message of every log line. */
function shown(error: unknown) {
  const lines: string[] = []
  const line = (level: string) => (_: object, message: string) => lines.push(`${level}: ${message}`)
  const log = { error: line('error'), warn: line('warn') } as unknown as Log
  const wrapped = new GraphQLError('wrapped', { originalError: error as Error, path: ['createCheckout'] })
  const { message, extensions, path } = shownError(wrapped, 'request-1', log)
  expect(path).toEqual(['createCheckout'])
  return { message, code: extensions.code, lines }
}

test('a refusal of the payment provider is shown as it is', () => {
  expect(shown(new PaymentProviderError("No such price: 'price_1'", 'request', null))).toEqual({
    message: "No such price: 'price_1'",
    code: 'PROVIDER_ERROR',
    lines: ['warn: payment provider refused a request'],
  })
})

test('a refused API key is an error in the log, and the caller is told to ask the operator', () => {
  const { message, code, lines } = shown(new PaymentProviderError('Invalid API Key: sk_live_***', 'access', null))
  expect(message).toMatch(/operator of this installation.*request-1/)
  expect(message).not.toContain('sk_live')
  expect(code).toBe('PROVIDER_ERROR')
  expect(lines).toEqual(['error: payment provider refuses our API key; check STRIPE_SECRET_KEY'])
})

test('an unreachable payment provider is a reason to try again later', () => {
  const { message, lines } = shown(new PaymentProviderError('connect ECONNREFUSED 10.0.0.7:443', 'transient', null))
  expect(message).toBe('the payment provider is not available; try again later')
  expect(lines).toEqual(['warn: payment provider unavailable'])
})

test('a mutation that failed halfway says what remains, with the code of its cause', () => {
  expect(shown(new PartlyDone('2 of 3 are done', new Refusal('NOT_FOUND', 'there is no third')))).toEqual({
    message: '2 of 3 are done: there is no third',
    code: 'NOT_FOUND',
    lines: [],
  })
  const { message, code, lines } = shown(new PartlyDone('the old key stays valid', new StoreUnavailable('refused')))
  expect(message).toBe(
    'the old key stays valid: the service cannot write to its event store; try again in a few seconds',
  )
  expect(code).toBe('SERVICE_UNAVAILABLE')
  expect(lines).toEqual(['error: GraphQL operation failed'])
})

test('an unreachable database is reported as unavailable, without its address', () => {
  expect(shown(new DatabaseUnreachable(new Error('connect ECONNREFUSED 10.0.0.7:5432')))).toEqual({
    message:
      'the service cannot reach its database; try again in a few seconds. Before you repeat a change, check whether it was stored',
    code: 'SERVICE_UNAVAILABLE',
    lines: ['error: GraphQL operation failed'],
  })
})

test('any other fault shows only the id of its log line', () => {
  expect(shown(new TypeError('x is not a function'))).toEqual({
    message: 'something went wrong here; the log has it under request-1',
    code: 'INTERNAL_SERVER_ERROR',
    lines: ['error: GraphQL operation failed'],
  })
})
