import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ErrorEnvelope, GATEWAY_ERRORS, type GatewayErrorName } from '../../contracts/errors.ts'
import { JSON_TYPE, sendJson } from '../platform/http/answers.ts'
import { discardBody } from '../platform/http/requestBody.ts'

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

/** What was sent is at fault, and the message says where. */
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
  const { type, code } = GATEWAY_ERRORS[error.error]
  return { error: { message: error.message, type, code } }
}

export async function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  error: GatewayError,
  headers: Record<string, string>,
): Promise<void> {
  if (error.retryAfterSeconds !== null) headers['retry-after'] = String(error.retryAfterSeconds)
  if (error.status === 401) headers['www-authenticate'] = 'Bearer'
  if (request.complete) return sendJson(response, error.status, envelopeOf(error), headers)
  // The answer goes out whole at once, its end only when the caller has stopped sending.
  const bytes = Buffer.from(JSON.stringify(envelopeOf(error)))
  response.writeHead(error.status, { 'content-type': JSON_TYPE, 'content-length': bytes.length, ...headers })
  response.write(bytes)
  const passed = await discardBody(request)
  response.end(() => {
    if (!passed) request.destroy()
  })
}

/** For faults of ours: says nothing of their nature to the caller; the log has it under the request's id. */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  return new GatewayError('unavailable', 'The gateway could not complete the call. Retry with backoff.', {
    retryAfterSeconds: 1,
  })
}
