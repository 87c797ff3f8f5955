import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { LIMITS } from '../../../contracts/limits.ts'

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
): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': bytes.length, ...headers })
  // A caller that takes nothing would otherwise keep its answer in our memory for ever.
  response.setTimeout(LIMITS.clientStallMs)
  response.end(bytes)
}
