import type { ServerResponse } from 'node:http'
import { CLIENT_STALL_MS } from '../../../platform/http/answer/answers.ts'
import { markEventStream } from '../../../platform/http/halfClosed.ts'
import { collectedHeaders } from '../answerHeaders.ts'

export const EVENT_STREAM_TYPE = 'text/event-stream; charset=utf-8'

export function beginEvents(response: ServerResponse): void {
  response.writeHead(200, {
    ...collectedHeaders(response),
    'content-type': EVENT_STREAM_TYPE,
    'cache-control': 'no-cache',
  })
  markEventStream(response)
}

/**
 * Writes, and waits until the socket's buffer has drained. False if the caller disconnected, or was cut because it took
 * no byte for too long. The socket's own time-out distinguishes a slow caller from one that takes nothing; it is cleared
 * after the wait, because a provider may be silent for longer.
 */
export async function writeToClient(
  response: ServerResponse,
  bytes: Buffer,
  stallMs: number = CLIENT_STALL_MS,
): Promise<boolean> {
  if (response.destroyed) return false
  if (response.write(bytes)) return true
  return new Promise((resolve) => {
    response.setTimeout(stallMs)
    const onStall = () => void response.destroy()
    const onDrain = () => {
      response.setTimeout(0)
      settle(true)
    }
    const onClose = () => settle(false)
    const settle = (taken: boolean) => {
      response.removeListener('timeout', onStall)
      response.removeListener('drain', onDrain)
      response.removeListener('close', onClose)
      resolve(taken)
    }
    response.once('timeout', onStall)
    response.once('drain', onDrain)
    response.once('close', onClose)
  })
}

/** With a timeout, because a caller that does not read the last bytes would keep its connection for ever. */
export function endWithin(response: ServerResponse, last = ''): void {
  response.setTimeout(CLIENT_STALL_MS)
  response.end(last)
}
