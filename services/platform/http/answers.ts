import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** A caller that takes no byte for this long is cut. */
export const CLIENT_STALL_MS = 60_000

const JOINED_BYTES_MAX = 8 * 1024
export const JSON_TYPE = 'application/json; charset=utf-8'

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  sendBytes(response, status, JSON_TYPE, Buffer.from(JSON.stringify(body)), headers)
}

export function sendBytes(
  response: ServerResponse,
  status: number,
  contentType: string,
  bytes: Buffer,
  headers: OutgoingHttpHeaders = {},
  stallMs: number = CLIENT_STALL_MS,
): void {
  response.writeHead(status, { ...headers, 'content-type': contentType, 'content-length': bytes.length })
  // As text of one byte a character, a small body leaves in one piece with its head.
  if (bytes.length <= JOINED_BYTES_MAX) response.end(bytes.toString('latin1'), 'latin1')
  else response.end(bytes)
  // A caller that takes nothing would otherwise keep what the system has not taken in our memory for ever.
  if (response.writableLength > 0) response.setTimeout(stallMs)
}
