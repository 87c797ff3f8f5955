import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** A connection whose caller reads no byte for this long is closed. */
export const CLIENT_STALL_MS = 60_000

const JOINED_BYTES_MAX = 8 * 1024
export const JSON_TYPE = 'application/json; charset=utf-8'

export function sendBytes(
  response: ServerResponse,
  status: number,
  contentType: string,
  bytes: Buffer,
  headers: OutgoingHttpHeaders = {},
  stallMs: number = CLIENT_STALL_MS,
): void {
  response.writeHead(status, { ...headers, 'content-type': contentType, 'content-length': bytes.length })
  // Node sends a string together with the head, but a buffer separately; latin1 keeps each byte as it is.
  if (bytes.length <= JOINED_BYTES_MAX) response.end(bytes.toString('latin1'), 'latin1')
  else response.end(bytes)
  // A caller that reads nothing would otherwise keep the rest of the answer in memory for ever.
  if (response.writableLength > 0) response.setTimeout(stallMs)
}
