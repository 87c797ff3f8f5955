import type { IncomingMessage } from 'node:http'
import type { Clock } from '../clock/clock.ts'
import { areTooSmall } from './bodyChunks.ts'

/** How long, and for how many bytes, the body of an answered request is read and dropped. */
export const LINGER_MS = 2_000
export const LINGER_BYTES_MAX = 32 * 1024 * 1024
export const LINGERING_MAX = 1_000

/**
 * Connections whose request was answered before its body was read. A connection that is closed while its caller still
 * sends takes the answer with it, so the rest of the body is read and dropped for a moment: a client that sends all it has
 * before it reads finds its answer. They hold no place of a request in flight.
 */
export class Lingering {
  readonly #clock: Clock
  /** In the order in which they began. */
  readonly #cuts = new Set<() => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get count(): number {
    return this.#cuts.size
  }

  /** Resolves with false if the caller went on sending for too long, or if others needed the place. */
  untilSent(request: IncomingMessage): Promise<boolean> {
    if (request.complete || request.destroyed) return Promise.resolve(true)
    const [oldest] = this.#cuts
    if (oldest && this.#cuts.size >= LINGERING_MAX) oldest()
    return new Promise((resolve) => {
      let bytes = 0
      let chunks = 0
      const settle = (sent: boolean) => {
        timer.cancel()
        this.#cuts.delete(cut)
        request.removeListener('data', onData)
        request.removeListener('end', onEnd)
        request.removeListener('close', onEnd)
        resolve(sent)
      }
      const cut = () => settle(false)
      const onEnd = () => settle(true)
      const onData = (chunk: Buffer) => {
        bytes += chunk.length
        chunks++
        if (bytes > LINGER_BYTES_MAX || areTooSmall(chunks, bytes)) cut()
      }
      const timer = this.#clock.after(LINGER_MS, cut)
      this.#cuts.add(cut)
      request.on('data', onData)
      request.once('end', onEnd)
      request.once('close', onEnd)
      request.resume()
    })
  }
}
