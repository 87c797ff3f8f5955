import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../clock/clock.ts'
import { sendBytes } from './answers.ts'
import type { Reply } from './reply.ts'
import { discardBody } from './requestBody.ts'

export function sendReply(response: ServerResponse, { status, contentType, body, headers }: Reply): void {
  sendBytes(response, status, contentType, body, headers)
}

/**
 * Answers a request whose body may not have been read. The answer goes out whole at once, its end only when the caller
 * has stopped sending: a connection that is closed while its caller still sends takes the answer with it.
 */
export async function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  clock: Clock,
): Promise<void> {
  if (request.complete) return sendReply(response, reply)
  const { status, contentType, body, headers } = reply
  response.writeHead(status, { ...headers, 'content-type': contentType, 'content-length': body.length })
  response.write(body)
  const passed = await discardBody(request, clock)
  response.end(() => {
    if (!passed) request.destroy()
  })
}
