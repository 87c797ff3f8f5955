import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Reply, SENT, type Sent } from '../../../platform/http/answer/reply.ts'

export type PublicFile = { readonly contentType: string; readonly cacheControl: string; readonly bytes: Uint8Array }

/** Pages of other sites, such as an auditor's, may read what is public. */
export const ANY_ORIGIN = { 'access-control-allow-origin': '*' } as const

/** A file for everybody: 304 without its bytes if the caller has them already. */
export function publicFile(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  { contentType, cacheControl, bytes }: PublicFile,
): Reply | Sent {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  const headers = { ...ANY_ORIGIN, 'cache-control': cacheControl, 'x-content-type-options': 'nosniff', etag }
  if (!isAmong(etag, request.headers['if-none-match'])) {
    return new Reply(200, contentType, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), headers)
  }
  // Without type and length, which would overwrite those of a cached copy.
  response.writeHead(304, headers).end()
  return SENT
}

/** RFC 9110, section 13.1.2: weak comparison, so that a proxy that compressed the answer may ask, too. */
const isAmong = (etag: string, sent: string | undefined): boolean =>
  sent !== undefined &&
  (sent.trim() === '*' || sent.split(',').some((each) => each.trim().replace(/^W\//, '') === etag))
