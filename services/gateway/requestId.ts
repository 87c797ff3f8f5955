import type { ServerResponse } from 'node:http'

const REQUEST_ID = 'x-request-id'

/** With an Idempotency-Key, the id of the first call with that key. */
export function requestId(response: ServerResponse): string {
  return String(response.getHeader(REQUEST_ID) ?? '')
}

export function setRequestId(response: ServerResponse, id: string): void {
  response.setHeader(REQUEST_ID, id)
}
