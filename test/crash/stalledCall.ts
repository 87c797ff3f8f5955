import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Demo } from '../support/harness/installation.ts'
import { chatRequest } from './chatCall.ts'

export type StalledCall = {
  readonly marker: string
  /** Takes what still comes, until the connection breaks. null: not even the answer's head had been sent. */
  readToTheEnd(): Promise<{ received: number; announced: number } | null>
}

const ANSWER_PIECES = 1_024
const PIECE_CHARS = 16 * 1_024

/**
 * A plain call whose client does not read the body. Its answer of 16 MiB is more than the operating system keeps for a
 * connection, so the last bytes stay in the gateway for as long as it lives.
 */
export function startStalledCall(demo: Demo, marker: string): StalledCall {
  const request = chatRequest(demo, undefined, { marker, pieces: ANSWER_PIECES, pieceChars: PIECE_CHARS }, false)
  const responded = once(request, 'response').then(
    ([response]) => receive(response as IncomingMessage),
    () => null,
  )
  return { marker, readToTheEnd: async () => (await responded)?.readToTheEnd() ?? null }
}

function receive(response: IncomingMessage) {
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  response.on('error', () => {})
  return {
    readToTheEnd: async () => {
      let received = 0
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
      })
      await closed
      return { received, announced: Number(response.headers['content-length']) }
    },
  }
}
