import type { ServerResponse } from 'node:http'

const REQUEST_ID = 'x-request-id'
/** The header in which Messages clients expect the request id. */
const MESSAGES_REQUEST_ID = 'request-id'
const COLLECTED = Symbol('collected headers')
type Response = ServerResponse & { [COLLECTED]?: Record<string, string> }

/**
 * Collects the response headers, so that they are written together with the status line. Inference routes use this because
 * setHeader copies and checks each header again, about 2 µs per call. `requestIdHeader` also gets the request id.
 */
export function collectHeaders(response: Response, requestIdHeader?: typeof MESSAGES_REQUEST_ID): void {
  response[COLLECTED] = requestIdHeader ? { [requestIdHeader]: '' } : {}
}

export function setAnswerHeader(response: Response, name: string, value: string): void {
  const collected = response[COLLECTED]
  if (collected) collected[name] = value
  else response.setHeader(name, value)
}

/** The headers to write with the status line; empty if they are set on the response. */
export function collectedHeaders(response: Response): Readonly<Record<string, string>> {
  return response[COLLECTED] ?? {}
}

/** Sets the collected headers on the response, for an answer that is written elsewhere. */
export function applyHeaders(response: Response): void {
  for (const [name, value] of Object.entries(collectedHeaders(response))) response.setHeader(name, value)
  delete response[COLLECTED]
}

/** With an Idempotency-Key, the id of the first call with that key. */
export function requestId(response: Response): string {
  return response[COLLECTED]?.[REQUEST_ID] ?? String(response.getHeader(REQUEST_ID) ?? '')
}

export function setRequestId(response: Response, id: string): void {
  setAnswerHeader(response, REQUEST_ID, id)
  const collected = response[COLLECTED]
  if (collected?.[MESSAGES_REQUEST_ID] !== undefined) collected[MESSAGES_REQUEST_ID] = id
}
