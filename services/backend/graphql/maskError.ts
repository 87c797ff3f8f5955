import { GraphQLError } from 'graphql'
import { Refusal, type RefusalCode } from '../../../domain/decider.ts'
import { EventRefused } from '../../platform/eventStore/port.ts'
import type { Log } from '../../platform/log/log.ts'
import { PaymentProviderError } from '../../platform/payments/paymentProvider.ts'
import { type ApiErrorCode, apiError, isApiErrorCode } from './apiError.ts'

const CODE_OF_REFUSAL: Readonly<Record<RefusalCode, ApiErrorCode>> = {
  NOT_FOUND: 'NOT_FOUND',
  CONFLICT: 'BAD_USER_INPUT',
  INVALID: 'BAD_USER_INPUT',
}

/** The error as a caller may see it: refusals unchanged, internal errors only with the id of their log line. */
export function shownError(error: unknown, correlationId: string, log: Log): GraphQLError {
  const cause = causeOf(error)
  if (cause instanceof Refusal) return located(error, apiError(CODE_OF_REFUSAL[cause.code], cause.message))
  if (cause instanceof EventRefused) return located(error, apiError('BAD_USER_INPUT', cause.message))
  if (cause instanceof PaymentProviderError) return located(error, apiError('PROVIDER_ERROR', cause.message))
  if (cause instanceof GraphQLError) return withOurCode(error as GraphQLError, cause)
  log.error({ err: cause, correlationId }, 'GraphQL operation failed')
  const message = `something went wrong here; the log has it under ${correlationId}`
  return located(error, apiError('INTERNAL_SERVER_ERROR', message, { correlationId }))
}

/** The executor wraps errors of resolvers, possibly more than once. */
function causeOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? causeOf(error.originalError) : error
}

/** Errors of the library itself: syntax, validation, variables, the request. */
function withOurCode(error: GraphQLError, cause: GraphQLError): GraphQLError {
  const code = isApiErrorCode(cause.extensions.code) ? cause.extensions.code : 'BAD_USER_INPUT'
  const extensions = { ...cause.extensions, ...error.extensions, code }
  const { nodes, source, positions, path, message } = error
  return new GraphQLError(message, { nodes, source, positions, path, extensions })
}

function located(error: unknown, shown: GraphQLError): GraphQLError {
  if (!(error instanceof GraphQLError)) return shown
  const { nodes, source, positions, path } = error
  return new GraphQLError(shown.message, { nodes, source, positions, path, extensions: shown.extensions })
}
