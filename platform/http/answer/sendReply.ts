import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Lingering } from '../lingering.ts'
import { sendBytes } from './answers.ts'
import type { Reply } from './reply.ts'

export function sendReply(response: ServerResponse, { status, contentType, body, headers }: Reply): void {
  sendBytes(response, status, contentType, body, headers)
}

/**
 * Answers a request whose body may not have been read. The whole answer goes out at once; the connection is closed after
 * it, once the caller has stopped sending or has had a moment to read the answer.
 */
export async function sendBeforeBody(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  lingering: Lingering,
): Promise<void> {
  if (!hasUnreadBody(request)) return sendReply(response, reply)
  const { status, contentType, body, headers } = reply
  response.shouldKeepAlive = false
  response.writeHead(status, { ...headers, 'content-type': contentType, 'content-length': body.length })
  response.write(body)
  const sent = await lingering.untilSent(request)
  response.end(() => {
    if (!sent) request.destroy()
  })
}

function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
}
