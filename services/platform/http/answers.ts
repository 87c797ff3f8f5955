import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  sendBytes(response, status, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(body)), headers)
}

export function sendBytes(
  response: ServerResponse,
  status: number,
  contentType: string,
  bytes: Buffer,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': bytes.length, ...headers })
  response.end(bytes)
}
