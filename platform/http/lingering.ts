import type { IncomingMessage } from 'node:http'
import type { Clock, Timer } from '../clock/clock.ts'
import { areTooSmall } from './body/bodyChunks.ts'

/** How long, and for how many bytes, the body of an answered request is read and dropped. */
export const LINGER_MS = 2_000
export const LINGER_BYTES_MAX = 32 * 1024 * 1024
export const LINGERING_MAX = 1_000
/** How much is read of all of them together: reading takes time from the thread that serves the others. */
export const LINGER_BYTES_PER_SECOND = 32 * 1024 * 1024
const REFILL_MS = 50

type Lingerer = { readonly request: IncomingMessage; readonly cut: () => void }

/**
 * Connections whose request was answered before its body was read. Closing a connection while its caller still sends
 * would lose the answer, so the rest of the body is read and dropped for a moment: a client that sends everything
 * before it reads then finds its answer. These connections take no place of a request in flight.
 */
export class Lingering {
  readonly #clock: Clock
  /** In the order in which they began. */
  readonly #lingerers = new Set<Lingerer>()
  /** How many bytes may be read until the next refill. */
  #allowance = allowanceOf(REFILL_MS)
  #refill: Timer | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get count(): number {
    return this.#lingerers.size
  }

  /** Resolves with false if the caller kept sending for too long, or if others needed the place. */
  untilSent(request: IncomingMessage): Promise<boolean> {
    if (request.complete || request.destroyed) return Promise.resolve(true)
    const [oldest] = this.#lingerers
    if (oldest && this.#lingerers.size >= LINGERING_MAX) oldest.cut()
    return new Promise((resolve) => {
      let bytes = 0
      let chunks = 0
      const settle = (sent: boolean) => {
        timer.cancel()
        this.#lingerers.delete(lingerer)
        request.removeListener('data', onData)
        request.removeListener('end', onEnd)
        request.removeListener('close', onEnd)
        resolve(sent)
      }
      const onEnd = () => settle(true)
      const onData = (chunk: Buffer) => {
        bytes += chunk.length
        chunks++
        this.#allowance -= chunk.length
        if (bytes > LINGER_BYTES_MAX || areTooSmall(chunks, bytes)) lingerer.cut()
        else if (this.#allowance <= 0) request.pause()
      }
      const lingerer = { request, cut: () => settle(false) }
      const timer = this.#clock.after(LINGER_MS, lingerer.cut)
      this.#lingerers.add(lingerer)
      request.on('data', onData)
      request.once('end', onEnd)
      request.once('close', onEnd)
      if (this.#allowance > 0) request.resume()
      else request.pause()
      this.#refill ??= this.#clock.every(REFILL_MS, () => this.#resumeAll())
    })
  }

  #resumeAll(): void {
    this.#allowance = allowanceOf(REFILL_MS)
    if (this.#lingerers.size === 0) {
      this.#refill?.cancel()
      this.#refill = null
    }
    for (const { request } of this.#lingerers) request.resume()
  }
}

function allowanceOf(ms: number): number {
  return (LINGER_BYTES_PER_SECOND * ms) / 1_000
}
