import { GraphQLError } from 'graphql'

/**
 * Every value of `extensions.code`. SERVICE_UNAVAILABLE means that an engine is away, INTERNAL_SERVER_ERROR a fault of this
 * service; the log has the details of both.
 */
const CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'BAD_USER_INPUT',
  'NOT_FOUND',
  'RATE_LIMITED',
  'PROVIDER_ERROR',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_SERVER_ERROR',
] as const
export type ApiErrorCode = (typeof CODES)[number]

export function isApiErrorCode(code: unknown): code is ApiErrorCode {
  return (CODES as readonly unknown[]).includes(code)
}

/** A refusal, with a message for the caller. */
export function apiError(code: ApiErrorCode, message: string, more: Record<string, unknown> = {}): GraphQLError {
  return new GraphQLError(message, { extensions: { ...more, code } })
}

/** Also for what belongs to another company: a caller must not learn that it exists. */
export function notFound(what: string, id: string): GraphQLError {
  return apiError('NOT_FOUND', `there is no ${what} ${id.slice(0, 100)}`)
}
