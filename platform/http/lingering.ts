import type { IncomingMessage } from 'node:http'
import type { Clock, Timer } from '../clock/clock.ts'
import { areTooSmall } from './body/bodyChunks.ts'

/** How long, and for how many bytes, the body of an answered request is read and dropped. */
export const LINGER_MS = 2_000
export const LINGER_BYTES_MAX = 32 * 1024 * 1024
export const LINGERING_MAX = 1_000
/** How much is read of all of them together: reading takes time from the thread that serves the others. */
export const LINGER_BYTES_PER_SECOND = 16 * 1024 * 1024
const REFILL_MS = 50
/** What one of them may read before the next one gets its turn; a socket reads this much at once. */
const SHARE_BYTES = 64 * 1024

type Lingerer = {
  readonly request: IncomingMessage
  readonly cut: () => void
  /** Bytes of the allowance that it may still read. */
  share: number
}

/**
 * Connections whose request was answered before its body was read. Closing a connection while its caller still sends
 * would lose the answer, so the rest of the body is read and dropped for a moment: a client that sends everything
 * before it reads then finds its answer. These connections take no place of a request in flight.
 */
export class Lingering {
  readonly #clock: Clock
  /** In the order in which they began. */
  readonly #lingerers = new Set<Lingerer>()
  /** Those that are paused, in the order in which they will go on. */
  readonly #waiting = new Set<Lingerer>()
  /** How many bytes may be read until the next refill, besides the shares that were given. */
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
        this.#allowance += lingerer.share
        this.#lingerers.delete(lingerer)
        this.#waiting.delete(lingerer)
        request.removeListener('data', onData)
        request.removeListener('end', onEnd)
        request.removeListener('close', onEnd)
        resolve(sent)
      }
      const onEnd = () => settle(true)
      const onData = (chunk: Buffer) => {
        bytes += chunk.length
        chunks++
        lingerer.share -= chunk.length
        if (bytes > LINGER_BYTES_MAX || areTooSmall(chunks, bytes)) lingerer.cut()
        else if (lingerer.share <= 0) this.#goOn(lingerer)
      }
      const lingerer: Lingerer = { request, cut: () => settle(false), share: 0 }
      const timer = this.#clock.after(LINGER_MS, lingerer.cut)
      this.#lingerers.add(lingerer)
      request.on('data', onData)
      request.once('end', onEnd)
      request.once('close', onEnd)
      this.#goOn(lingerer)
      this.#refill ??= this.#clock.every(REFILL_MS, () => this.#refillAllowance())
    })
  }

  /** Gives it the next share, or pauses it until there is one. */
  #goOn(lingerer: Lingerer): void {
    if (this.#allowance > 0) {
      this.#allowance -= SHARE_BYTES
      lingerer.share += SHARE_BYTES
      lingerer.request.resume()
    } else {
      lingerer.request.pause()
      this.#waiting.add(lingerer)
    }
  }

  #refillAllowance(): void {
    this.#allowance = allowanceOf(REFILL_MS)
    if (this.#lingerers.size === 0) {
      this.#refill?.cancel()
      this.#refill = null
    }
    for (const lingerer of this.#waiting) {
      if (this.#allowance <= 0) return
      this.#waiting.delete(lingerer)
      this.#goOn(lingerer)
    }
  }
}

function allowanceOf(ms: number): number {
  return (LINGER_BYTES_PER_SECOND * ms) / 1_000
}
