import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Demo } from '../support/installation.ts'
import { chatRequest } from './chatCall.ts'

export type StalledCall = {
  readonly marker: string
  /** Takes what still comes: resolves with how many bytes of the body arrived, and how many were announced. */
  readToTheEnd(): Promise<{ received: number; announced: number; callId: string }>
}

const ANSWER_PIECES = 1_024
const PIECE_CHARS = 16 * 1_024

/**
 * A plain call whose client reads nothing. Its answer of 16 MiB is more than the operating system keeps for a connection,
 * so the last bytes stay in the gateway for as long as it lives.
 */
export function startStalledCall(demo: Demo, marker: string): StalledCall {
  const request = chatRequest(demo, undefined, { marker, pieces: ANSWER_PIECES, pieceChars: PIECE_CHARS }, false)
  request.on('error', () => {})
  request.on('socket', (socket) => socket.once('connect', () => socket.pause()))
  const responded = once(request, 'response') as Promise<[IncomingMessage]>
  responded.catch(() => {})
  return {
    marker,
    readToTheEnd: async () => {
      request.socket?.resume()
      const [response] = await responded
      let received = 0
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
      })
      response.on('error', () => {})
      await once(response, 'close')
      const { 'content-length': announced, 'x-request-id': callId } = response.headers
      return { received, announced: Number(announced), callId: String(callId) }
    },
  }
}
