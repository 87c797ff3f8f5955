import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { SENT, type Sent } from './reply.ts'

/**
 * Sends pieces at the pace of the client. A client that disconnects ends the iteration. A failure after the first piece
 * closes the connection once the earlier pieces are sent, so that the client does not take them for the whole.
 */
export async function sendStream(
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  pieces: AsyncGenerator<Buffer>,
): Promise<Sent> {
  // A failure before the first piece is answered as an error.
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
    // Unlike destroy, it first sends what is still in memory. As the body has no end, the client sees that it was cut off.
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

/** Waits for the event, or for the connection to end without it. */
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
