import { GraphQLError } from 'graphql'

/** Every code that stands in `extensions.code` of an answer. INTERNAL_SERVER_ERROR: a fault of ours, see the log. */
const CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'BAD_USER_INPUT',
  'NOT_FOUND',
  'RATE_LIMITED',
  'PROVIDER_ERROR',
  'INTERNAL_SERVER_ERROR',
] as const
export type ApiErrorCode = (typeof CODES)[number]

export function isApiErrorCode(code: unknown): code is ApiErrorCode {
  return (CODES as readonly unknown[]).includes(code)
}

/** A refusal, with a message for the person who asked. */
export function apiError(code: ApiErrorCode, message: string, more: Record<string, unknown> = {}): GraphQLError {
  return new GraphQLError(message, { extensions: { ...more, code } })
}

/** As if it did not exist: of another company's things nobody learns even that. */
export function notFound(what: string, id: string): GraphQLError {
  return apiError('NOT_FOUND', `there is no ${what} ${id.slice(0, 100)}`)
}
