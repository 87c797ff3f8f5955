import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { SENT, type Sent } from './reply.ts'

/**
 * Sends pieces as the client takes them. A client that leaves ends the iteration. A failure after the first piece cuts the
 * connection once the pieces before it are sent, so that the client does not take them for the whole.
 */
export async function sendStream(
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  pieces: AsyncGenerator<Buffer>,
): Promise<Sent> {
  // What fails at the beginning is answered as an error.
  const first = await pieces.next()
  response.writeHead(200, headers)
  try {
    if (!first.done) await write(response, first.value)
    for (;;) {
      if (response.destroyed) return SENT
      const { done, value } = await pieces.next()
      if (done) break
      await write(response, value)
    }
  } catch (error) {
    // Unlike destroy, it sends first what is still in memory. Without the end of the body, the client sees that it was cut.
    response.socket?.destroySoon()
    if (!response.closed) await eventOf(response, 'close')
    throw error
  } finally {
    await pieces.return(undefined)
  }
  response.end()
  if (!response.writableFinished) await eventOf(response, 'finish')
  return SENT
}

async function write(response: ServerResponse, piece: Buffer): Promise<void> {
  if (!response.write(piece) && !response.destroyed) await eventOf(response, 'drain')
}

/** Waits for the event, or for the end of a connection on which it does not come. */
async function eventOf(response: ServerResponse, name: 'drain' | 'finish' | 'close'): Promise<void> {
  const waiting = new AbortController()
  const { signal } = waiting
  try {
    await Promise.race(
      [...new Set([name, 'close', 'error'])].map((event) => once(response, event, { signal }).catch(() => {})),
    )
  } finally {
    waiting.abort()
  }
}
