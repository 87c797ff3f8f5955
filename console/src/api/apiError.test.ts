import { expect, test } from 'vitest'
import { ApiError, isAway } from './apiError.ts'

const withCode = (code: string) => new ApiError('the message', code, null)

test.each(['NETWORK', 'SERVICE_UNAVAILABLE', 'HTTP_502', 'HTTP_503', 'HTTP_504'])(
  'a query that failed with %s is tried again',
  (code) => expect(isAway(withCode(code))).toBe(true),
)

test.each(['INTERNAL_SERVER_ERROR', 'BAD_USER_INPUT', 'UNAUTHENTICATED', 'RATE_LIMITED', 'TIMEOUT', 'HTTP_500'])(
  'a query that failed with %s is not tried again',
  (code) => expect(isAway(withCode(code))).toBe(false),
)
