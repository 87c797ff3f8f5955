import type http from 'node:http'
import type { Socket } from 'node:net'
import type { Clock, Timer } from '../clock/clock.ts'

/**
 * The delays between the end of the caller's side and each probe of its connection. Most answers are sent before the
 * first. The first makes a closed connection report that, and the second, soon after, notices it. There are only five,
 * because some clients give up after more interim responses.
 */
const PROBE_DELAYS_MS = [1_000, 200, 2_000, 4_000, 8_000]

/** A comment, which readers of an event stream skip. */
const SSE_COMMENT = ':\n\n'
/** The response that a connection waits for. A property, because each request sets it and weak maps cost more. */
const AWAITED = Symbol('awaited response')
type Connection = Socket & { [AWAITED]?: http.ServerResponse | null }

const eventStreams = new WeakSet<http.ServerResponse>()

/** The response is an event stream in which, from here on, every write ends with the end of an event. */
export function markEventStream(response: http.ServerResponse): void {
  eventStreams.add(response)
}

/**
 * Answers callers that have ended their side of the connection after the request, as HTTP allows. A caller that has
 * closed both sides looks the same until something is sent to it, so an interim response, or a comment in an event
 * stream, is sent as a probe: a closed connection refuses it, and the response is closed.
 */
export class HalfClosed {
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  allowOn(server: http.Server): void {
    // Without it, Node ends the connection when the caller ends its side. The types lack it.
    Object.assign(server, { httpAllowHalfOpen: true })
    server.on('connection', (socket: Connection) => {
      socket.once('end', () => this.#probe(socket, 0))
    })
  }

  began(request: http.IncomingMessage, response: http.ServerResponse): void {
    const connection: Connection = request.socket
    connection[AWAITED] = response
  }

  /** Otherwise an idle connection would keep its last response, and with it the body of the request. */
  ended(request: http.IncomingMessage, response: http.ServerResponse): void {
    const connection: Connection = request.socket
    if (connection[AWAITED] === response) connection[AWAITED] = null
  }

  #probe(socket: Connection, n: number): void {
    const delayMs = PROBE_DELAYS_MS[n]
    const response = socket[AWAITED]
    if (delayMs === undefined || !response || response.destroyed || response.writableEnded) return
    const timer: Timer = this.#clock.after(delayMs, () => {
      response.removeListener('close', cancel)
      if (response.destroyed || response.writableEnded) return
      announce(response)
      this.#probe(socket, n + 1)
    })
    const cancel = () => timer.cancel()
    response.once('close', cancel)
  }
}

function announce(response: http.ServerResponse): void {
  if (!response.headersSent) {
    // HTTP/1.0 has no interim responses.
    if (response.req.httpVersion === '1.1') response.writeProcessing()
  } else if (eventStreams.has(response)) {
    response.write(SSE_COMMENT)
  }
}
