import {
  type ErrorEnvelope,
  GATEWAY_ERRORS,
  type GatewayErrorName,
  NEVER_RETRIED,
  type ProviderCode,
} from '../../contracts/errors.ts'
import { HttpError } from '../../platform/http/answer/httpError.ts'
import { jsonReply, type Reply } from '../../platform/http/answer/reply.ts'

/** Clients wait for at most a minute. With a longer delay they would retry too early, in vain. */
const RETRY_WAIT_SECONDS_MAX = 60

/** A refusal from the catalogue of error codes. */
export class GatewayError extends HttpError {
  readonly error: GatewayErrorName
  readonly retryAfterSeconds: number | null
  readonly param: string | null
  readonly providerCode: ProviderCode | null

  /** The name of the refusal in logs, metrics and traces; callers do not get a code for each. */
  get code(): string {
    return GATEWAY_ERRORS[this.error].code ?? this.error
  }

  /**
   * `status` is for a provider's refusal that is passed on: the code is the catalogue's, the number the provider's.
   * `param` names the field that a model does not accept. `providerCode` is the code for the caller, if a provider gave one.
   */
  constructor(
    error: GatewayErrorName,
    message: string,
    options: {
      status?: number
      retryAfterSeconds?: number
      param?: string | undefined
      providerCode?: ProviderCode | undefined
    } = {},
  ) {
    const { status = GATEWAY_ERRORS[error].status, retryAfterSeconds = null, param = null } = options
    const isHopeless = NEVER_RETRIED.has(error) || (retryAfterSeconds ?? 0) > RETRY_WAIT_SECONDS_MAX
    super(status, message, {
      ...(retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...(isHopeless ? { 'x-should-retry': 'false' } : {}),
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    })
    this.name = 'GatewayError'
    this.error = error
    this.retryAfterSeconds = retryAfterSeconds
    this.param = param
    this.providerCode = options.providerCode ?? null
  }
}

/** The caller sent something wrong; the message names the field. */
export function invalidRequest(message: string): GatewayError {
  return new GatewayError('invalidRequest', message)
}

/** The answer is complete, but something that must be stored before it is sent could not be stored. */
export function answerWithheld(notStored: string): GatewayError {
  return new GatewayError('unavailable', `${notStored}, so its answer is withheld. Retry with backoff.`, {
    retryAfterSeconds: 1,
  })
}

export function chargeNotStored(): GatewayError {
  return answerWithheld('The charge for this call could not be stored')
}

export function envelopeOf(error: GatewayError): ErrorEnvelope {
  const { type, code: ownCode } = GATEWAY_ERRORS[error.error]
  const { message, param, providerCode } = error
  const code = providerCode ?? ownCode
  return { error: param === null ? { message, type, code } : { message, type, code, param } }
}

export function refusalReply(error: GatewayError): Reply {
  return jsonReply(error.status, envelopeOf(error), error.headers)
}

/** The platform's own refusals: an invalid query or body, an unknown path, too many requests. */
const BY_STATUS: Readonly<Record<number, GatewayErrorName>> = {
  400: 'invalidRequest',
  404: 'unknownRoute',
  408: 'bodyTooSlow',
  413: 'bodyTooLarge',
  415: 'bodyEncoded',
  429: 'rateLimited',
  503: 'unavailable',
}

const RETRIED: ReadonlySet<GatewayErrorName> = new Set(['rateLimited', 'unavailable'])

/** Turns any error into a refusal. Internal errors reveal no details; the log has them under the request id. */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  const name = error instanceof HttpError ? BY_STATUS[error.status] : undefined
  if (!(error instanceof HttpError) || name === undefined) {
    const message = 'The gateway could not complete the call. Retry with backoff.'
    return new GatewayError('unavailable', message, { retryAfterSeconds: 1 })
  }
  return new GatewayError(name, error.message, RETRIED.has(name) ? { retryAfterSeconds: 1 } : {})
}
