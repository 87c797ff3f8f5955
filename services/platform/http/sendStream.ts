import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SENT, type Sent } from './reply.ts'

/**
 * Sends pieces as the client takes them. A client that leaves ends the iteration. A failure after the first piece cuts the
 * connection, so that the client does not take what was sent for the whole.
 */
export async function sendStream(
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  pieces: AsyncGenerator<Buffer>,
): Promise<Sent> {
  // What fails at the beginning is answered as an error.
  const first = await pieces.next()
  response.writeHead(200, headers)
  const rest = async function* () {
    if (!first.done) yield first.value
    yield* pieces
  }
  try {
    await pipeline(Readable.from(rest(), { objectMode: true, highWaterMark: 1 }), response)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  } finally {
    await pieces.return(undefined)
  }
  return SENT
}
