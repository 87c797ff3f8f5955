import type { WebSocket } from 'ws'
import type { Clock, Timer } from '../../../../platform/clock/clock.ts'
import { GRAPHQL_BODY_BYTES_MAX } from '../limits/bodyLimit.ts'

/** Messages of one socket that are handled in each window: those of the protocol, and pings and pongs of WebSocket itself. */
export const GRAPHQL_MESSAGES_PER_WINDOW = 50
/** The same until the socket has shown a valid token: the token, a ping and an operation. */
export const GRAPHQL_UNIDENTIFIED_MESSAGES_PER_WINDOW = 3
/** Bytes of one socket that are read in each window. */
const GRAPHQL_MESSAGE_BYTES_PER_WINDOW = GRAPHQL_BODY_BYTES_MAX
export const GRAPHQL_MESSAGE_WINDOW_MS = 1_000
/** Messages that were read already and wait for the next window. A socket with more is closed. */
export const GRAPHQL_MESSAGES_WAITING_MAX = 100

type Paced = {
  readonly socket: Pick<WebSocket, 'pause' | 'resume'>
  readonly clock: Clock
  readonly isIdentified: () => boolean
  /** Closes the socket. */
  readonly onExcess: () => void
}

/**
 * Handles the messages of one socket at a pace that leaves time for others. Beyond it the socket is not read, so that its
 * sender has to wait; the messages that were read with the last bytes are kept for the next window.
 */
export class MessagePace {
  readonly #paced: Paced
  readonly #waiting: (() => void)[] = []
  #messages = 0
  #bytes = 0
  #window: Timer | null = null
  #hasStopped = false

  constructor(paced: Paced) {
    this.#paced = paced
  }

  /** Handles a message now or in a later window, in the order in which they came. */
  take(handle: () => void): void {
    if (this.#hasStopped) return
    this.#begin()
    if (this.#waiting.length === 0 && this.#messages < this.#messagesMax()) {
      this.#messages++
      handle()
      return
    }
    this.#waiting.push(handle)
    if (this.#waiting.length <= GRAPHQL_MESSAGES_WAITING_MAX) this.#paced.socket.pause()
    else this.#exceed()
  }

  /** Counts bytes that were read. */
  read(bytes: number): void {
    if (this.#hasStopped) return
    this.#begin()
    this.#bytes += bytes
    if (this.#bytes > GRAPHQL_MESSAGE_BYTES_PER_WINDOW) this.#paced.socket.pause()
  }

  stop(): void {
    this.#hasStopped = true
    this.#waiting.length = 0
    this.#window?.cancel()
  }

  #messagesMax(): number {
    return this.#paced.isIdentified() ? GRAPHQL_MESSAGES_PER_WINDOW : GRAPHQL_UNIDENTIFIED_MESSAGES_PER_WINDOW
  }

  #begin(): void {
    this.#window ??= this.#paced.clock.after(GRAPHQL_MESSAGE_WINDOW_MS, () => this.#nextWindow())
  }

  #nextWindow(): void {
    this.#window = null
    this.#bytes = 0
    this.#messages = 0
    const now = this.#waiting.splice(0, this.#messagesMax())
    if (now.length > 0) this.#begin()
    this.#messages = now.length
    for (const handle of now) handle()
    if (this.#waiting.length === 0 && !this.#hasStopped) this.#paced.socket.resume()
  }

  #exceed(): void {
    this.stop()
    this.#paced.onExcess()
  }
}
