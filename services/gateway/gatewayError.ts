import type { ServerResponse } from 'node:http'
import { type ErrorEnvelope, GATEWAY_ERRORS, type GatewayErrorName } from '../../contracts/errors.ts'
import { sendJson } from '../platform/http/answers.ts'

/** A refusal from the catalogue, on its way to the caller. */
export class GatewayError extends Error {
  readonly error: GatewayErrorName
  /** The provider's own status where it is passed on: its meaning is the catalogue's, its number the provider's. */
  readonly status: number
  readonly retryAfterSeconds: number | null

  constructor(error: GatewayErrorName, message: string, options: { status?: number; retryAfterSeconds?: number } = {}) {
    super(message)
    this.name = 'GatewayError'
    this.error = error
    this.status = options.status ?? GATEWAY_ERRORS[error].status
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }
}

export function envelopeOf(error: GatewayError): ErrorEnvelope {
  const { type, code } = GATEWAY_ERRORS[error.error]
  return { error: { message: error.message, type, code } }
}

export function sendError(response: ServerResponse, error: GatewayError, headers: Record<string, string>): void {
  if (error.retryAfterSeconds !== null) headers['retry-after'] = String(error.retryAfterSeconds)
  if (error.status === 401) headers['www-authenticate'] = 'Bearer'
  // The rest of a body that was too large is not read, so the connection cannot be used again.
  if (error.error === 'bodyTooLarge' || error.error === 'bodyEncoded') headers.connection = 'close'
  sendJson(response, error.status, envelopeOf(error), headers)
}

/** For faults of ours: says nothing of their nature to the caller; the log has it under the request's id. */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  return new GatewayError('unavailable', 'The gateway could not complete the call. Retry with backoff.', {
    retryAfterSeconds: 1,
  })
}
