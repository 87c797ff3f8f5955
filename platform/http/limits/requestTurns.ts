import type http from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { networkOf } from './clientAddress.ts'
import type { RequestPace } from './requestPace.ts'
import { isIdentified } from './unidentifiedConnections.ts'

/** How much a connection may send ahead while one of its requests is being answered. With more, it is closed. */
export const SENT_AHEAD_BYTES_MAX = 64 * 1024

const BLANK_LINE = Buffer.from('\r\n\r\n')
const NOTHING: Buffer = Buffer.alloc(0)
const PROBE = /^(GET|HEAD) \/(livez|readyz) /
const PROBE_BYTES = 'HEAD /readyz '.length

/** A property, because each request looks at it and weak maps cost more. */
const TURNS = Symbol('turns of the requests of a connection')
type Connection = Socket & { [TURNS]?: ConnectionTurns }

/**
 * Serves the requests of a connection one after the other, each in its own turn of the event loop. Node parses
 * everything it has read at once and starts every request in it, so a few connections with thousands of requests per
 * read would keep all others waiting for seconds. The connection is read all the time, so that its end is noticed.
 */
export class RequestTurns {
  readonly #pace: RequestPace | null

  /** Without a pace, connections are trusted: they come from a proxy. */
  constructor(pace: RequestPace | null) {
    this.#pace = pace
  }

  /** Must be called before anything else listens to the connections of the server. */
  keepOn(server: http.Server): void {
    server.on('connection', (socket: Connection) => {
      if (!socket.destroyed) socket[TURNS] = new ConnectionTurns(socket, this.#pace)
    })
  }

  began(request: http.IncomingMessage): void {
    const { [TURNS]: turns }: Connection = request.socket
    turns?.began(request)
  }

  /** The answer was sent, or its connection is gone. */
  ended(request: http.IncomingMessage): void {
    const { [TURNS]: turns }: Connection = request.socket
    turns?.ended()
  }

  /** The connection no longer speaks HTTP. Returns what was read beyond the request. */
  release(socket: Duplex, head: Buffer): Buffer {
    const { [TURNS]: turns } = socket as Connection
    return turns ? Buffer.concat([head, turns.release()]) : head
  }
}

class ConnectionTurns {
  readonly #socket: Socket
  readonly #pace: RequestPace | null
  readonly #network: string
  readonly #parse: (bytes: Buffer) => void
  readonly #parseEnd: () => void
  readonly #onData = (bytes: Buffer) => this.#receive(bytes)
  readonly #onEnd = () => this.#receiveEnd()
  readonly #onTurn = () => this.#goOn()
  /** The request whose bytes are arriving. */
  #arriving: http.IncomingMessage | null = null
  /** The remaining bytes of a body whose length is known. */
  #bodyBytesLeft = 0
  #isAnswering = false
  /** What was read but not parsed yet. */
  #ahead = NOTHING
  #isWaiting = false
  #hasEnded = false
  /** How many bytes of a blank line the parsed bytes end with. */
  #blankBytes = 0

  constructor(socket: Socket, pace: RequestPace | null) {
    this.#socket = socket
    this.#pace = pace
    this.#network = networkOf(socket.remoteAddress ?? '')
    this.#parse = replaced(socket, 'data', this.#onData)
    this.#parseEnd = replaced(socket, 'end', this.#onEnd)
  }

  began(request: http.IncomingMessage): void {
    this.#isAnswering = true
    this.#arriving = request
    this.#bodyBytesLeft = Number(request.headers['content-length'] ?? 0)
  }

  ended(): void {
    this.#isAnswering = false
    if (this.#ahead.length > 0) this.#waitFor(setImmediate)
  }

  release(): Buffer {
    this.#socket.removeListener('data', this.#onData)
    this.#socket.removeListener('end', this.#onEnd)
    const ahead = this.#ahead
    this.#ahead = NOTHING
    return ahead
  }

  #receive(bytes: Buffer): void {
    if (this.#ahead.length === 0) {
      this.#ahead = bytes
      if (!this.#isWaiting) this.#goOn()
    } else {
      this.#ahead = Buffer.concat([this.#ahead, bytes])
    }
    if (this.#ahead.length > SENT_AHEAD_BYTES_MAX && this.#arriving === null) this.#socket.destroy()
  }

  /** What was sent before the end is parsed first. */
  #receiveEnd(): void {
    this.#hasEnded = true
    if (this.#ahead.length === 0) this.#parseEnd()
  }

  /** Parses what was read, up to the end of one request. */
  #goOn(): void {
    this.#isWaiting = false
    let hasParsedHead = false
    while (this.#ahead.length > 0 && !this.#socket.destroyed) {
      if (this.#arriving === null && this.#isAnswering) return
      const next = this.#nextTurn(hasParsedHead)
      if (next !== null) {
        this.#waitFor(next)
        return
      }
      hasParsedHead ||= this.#arriving === null
      this.#parsePiece()
    }
    if (this.#hasEnded && !this.#socket.destroyed) this.#parseEnd()
  }

  /** What to wait for before more is parsed; null: nothing. */
  #nextTurn(hasParsedHead: boolean): ((goOn: () => void) => unknown) | null {
    // Node pauses the connection while a body arrives faster than it is read, or answers go out slowly.
    if (this.#socket.isPaused()) return (goOn) => this.#socket.once('resume', goOn)
    if (this.#arriving !== null) return null
    if (hasParsedHead) return setImmediate
    return this.#isTooFast() ? (goOn) => this.#pace?.wait(goOn) : null
  }

  #waitFor(call: (goOn: () => void) => unknown): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    call(this.#onTurn)
  }

  /** A piece ends at the latest where its request ends. */
  #parsePiece(): void {
    const bytes = this.#ahead
    const end = this.#endOfPiece(bytes)
    this.#ahead = end < bytes.length ? bytes.subarray(end) : NOTHING
    this.#parse(end < bytes.length ? bytes.subarray(0, end) : bytes)
    if (this.#arriving?.complete) this.#arriving = null
  }

  #endOfPiece(bytes: Buffer): number {
    if (this.#arriving !== null && this.#bodyBytesLeft > 0) {
      const end = Math.min(this.#bodyBytesLeft, bytes.length)
      this.#bodyBytesLeft -= end
      return end
    }
    // Heads end with a blank line, and so do bodies that come in chunks.
    const end = this.#endOfBlankLine(bytes)
    if (end === -1) return bytes.length
    if (this.#arriving === null && !isIdentified(this.#socket)) this.#pace?.count(this.#network)
    return end
  }

  /** The offset after the first blank line, which may have begun in earlier bytes; -1 if there is none. */
  #endOfBlankLine(bytes: Buffer): number {
    const missing = BLANK_LINE.subarray(this.#blankBytes)
    if (this.#blankBytes > 0 && bytes.subarray(0, missing.length).equals(missing.subarray(0, bytes.length))) {
      if (bytes.length < missing.length) {
        this.#blankBytes += bytes.length
        return -1
      }
      this.#blankBytes = 0
      return missing.length
    }
    const start = bytes.indexOf(BLANK_LINE)
    this.#blankBytes = start === -1 ? blankBytesAtEnd(bytes) : 0
    return start === -1 ? -1 : start + BLANK_LINE.length
  }

  #isTooFast(): boolean {
    if (this.#pace === null || isIdentified(this.#socket) || this.#pace.hasRoom(this.#network)) return false
    return !PROBE.test(this.#ahead.toString('latin1', 0, PROBE_BYTES))
  }
}

function blankBytesAtEnd(bytes: Buffer): number {
  for (let count = Math.min(BLANK_LINE.length - 1, bytes.length); count > 0; count--) {
    if (bytes.subarray(bytes.length - count).equals(BLANK_LINE.subarray(0, count))) return count
  }
  return 0
}

/** Replaces the listener that the HTTP server has just added, and returns it. */
function replaced<Args extends unknown[]>(socket: Socket, event: string, listener: (...args: Args) => void) {
  const replacedOne = socket.listeners(event).at(-1)
  if (!replacedOne) throw new Error(`the HTTP server does not listen for ${event} of its connections`)
  socket.removeListener(event, replacedOne as () => void)
  socket.on(event, listener)
  return replacedOne as (...args: Args) => void
}
