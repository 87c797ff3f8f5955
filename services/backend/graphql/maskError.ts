import { GraphQLError } from 'graphql'
import { PaymentProviderError } from '../../../capabilities/payments/paymentProvider.ts'
import { Refusal, type RefusalCode, unexpected } from '../../../domain/decider.ts'
import { EventRefused, StoreUnavailable } from '../../../platform/eventStore/port.ts'
import { AppendStillUnknown } from '../../../platform/eventStore/pursuit.ts'
import { missingEngine } from '../../../platform/http/answer/unavailableError.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import { type ApiErrorCode, apiError, isApiErrorCode } from './apiError.ts'

const CODE_OF_REFUSAL: Readonly<Record<RefusalCode, ApiErrorCode>> = {
  NOT_FOUND: 'NOT_FOUND',
  CONFLICT: 'BAD_USER_INPUT',
  INVALID: 'BAD_USER_INPUT',
}

/** A mutation that has changed something and then failed. The message says what remains and what will happen. */
export class PartlyDone extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'PartlyDone'
  }
}

/** The error as a caller may see it: refusals unchanged, internal errors only with the id of their log line. */
export function shownError(error: unknown, correlationId: string, log: Log): GraphQLError {
  const cause = causeOf(error)
  if (cause instanceof PartlyDone) {
    const { message, extensions } = shownError(cause.cause, correlationId, log)
    return located(error, new GraphQLError(`${cause.message}: ${message}`, { extensions }))
  }
  if (cause instanceof Refusal) return located(error, apiError(CODE_OF_REFUSAL[cause.code], cause.message))
  if (cause instanceof EventRefused) return located(error, apiError('BAD_USER_INPUT', cause.message))
  if (cause instanceof PaymentProviderError) {
    return located(error, apiError('PROVIDER_ERROR', paymentMessage(cause, correlationId, log)))
  }
  if (cause instanceof GraphQLError) return withOurCode(error as GraphQLError, cause)
  log.error({ err: cause, correlationId }, 'GraphQL operation failed')
  const missing = missingEngine(cause)
  if (missing !== null) {
    const message =
      cause instanceof StoreUnavailable ? `${missing}; ${TRY_AGAIN}` : `${missing}; ${TRY_AGAIN}. ${CHECK_FIRST}`
    return located(error, apiError('SERVICE_UNAVAILABLE', message, { correlationId }))
  }
  const outcome = cause instanceof AppendStillUnknown ? `; ${OUTCOME_UNKNOWN}` : ''
  const message = `something went wrong here; the log has it under ${correlationId}${outcome}`
  return located(error, apiError('INTERNAL_SERVER_ERROR', message, { correlationId }))
}

const TRY_AGAIN = 'try again in a few seconds'
/** The database may have been lost after an event was stored, while the answer was put together. */
const CHECK_FIRST = 'Before you repeat a change, check whether it was stored'
const OUTCOME_UNKNOWN = 'the change may still be stored, so check before you try again'

/** The caller can act on the provider's message about the request, but not on faults of this installation. */
function paymentMessage(error: PaymentProviderError, correlationId: string, log: Log): string {
  switch (error.fault) {
    case 'access':
      log.error({ err: error, correlationId }, 'payment provider refuses our API key; check STRIPE_SECRET_KEY')
      return `payments are out of order until the operator of this installation restores its access to the payment provider; tell them ${correlationId}`
    case 'transient':
      log.warn({ err: error, correlationId }, 'payment provider unavailable')
      return 'the payment provider is not available; try again later'
    case 'request':
      log.warn({ err: error, correlationId }, 'payment provider refused a request')
      return error.message
    default:
      return unexpected(error.fault)
  }
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
