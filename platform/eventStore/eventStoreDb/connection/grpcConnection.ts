import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import type { Clock } from '../../../clock/clock.ts'
import { type NodeAddress, type StoreAddress, shownAddress } from './connectionString.ts'
import { GrpcCall } from './grpcCall.ts'
import { GRPC_STATUS, GrpcFailure } from './grpcFailure.ts'

/** Bytes that the server may send on one call, and on all calls together, before they are read. */
const CALL_WINDOW_BYTES = 1024 * 1024
const CONNECTION_WINDOW_BYTES = 4 * CALL_WINDOW_BYTES
/** In megabytes. Node closes a connection that needs more; a single message may have 17. */
const CONNECTION_MEMORY_MB = 64

export type GrpcConnectionOptions = Pick<StoreAddress, 'certificates' | 'user' | 'keepAlive'> & {
  readonly clock: Clock
  /** Shown in the list of connections of the server. */
  readonly name: string
}

/** One connection, and the error for its calls if it broke. */
type Link = { readonly session: ClientHttp2Session; whyBroken(error: Error | null): GrpcFailure }

/**
 * gRPC over one HTTP/2 connection to one node. The first call opens it, and so does the next call after it was lost. It
 * replaces the library that the store's client uses, because that spends more CPU time on a message than everything
 * else: each message passes a dozen stages, each with a promise, and is written to the socket on its own.
 */
export class GrpcConnection {
  readonly #node: NodeAddress
  readonly #options: GrpcConnectionOptions
  readonly #headers: http2.OutgoingHttpHeaders
  readonly #calls = new Set<ClientHttp2Stream>()
  #link: Link | null = null
  #isRetired = false

  constructor(node: NodeAddress, options: GrpcConnectionOptions) {
    this.#node = node
    this.#options = options
    this.#headers = {
      ':method': 'POST',
      'content-type': 'application/grpc',
      te: 'trailers',
      'connection-name': options.name,
      ...authorization(options),
    }
  }

  /** Throws if the connection was retired. Failures of the network are those of the call. */
  open(path: string): GrpcCall {
    if (this.#isRetired) throw new GrpcFailure(GRPC_STATUS.unavailable, 'the connection was given up')
    const { session, whyBroken } = this.#connected()
    const stream = session.request({ ...this.#headers, ':path': path })
    this.#calls.add(stream)
    stream.once('close', () => {
      this.#calls.delete(stream)
      if (this.#isRetired && this.#calls.size === 0) session.destroy()
    })
    return new GrpcCall(stream, whyBroken)
  }

  /** A call with one message in each direction. */
  ask(path: string, message: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const call = this.open(path)
      let answer: Buffer | null = null
      call.on('data', (bytes) => {
        answer = bytes
      })
      call.on('error', reject)
      call.on('end', () => {
        if (answer) resolve(answer)
        else reject(new GrpcFailure(GRPC_STATUS.unknown, `${path} ended without an answer`))
      })
      call.write(message)
      call.end()
    })
  }

  /** Accepts no more calls, and closes when the running ones have ended. */
  retire(): void {
    this.#isRetired = true
    if (this.#calls.size === 0) this.#link?.session.destroy()
  }

  /** Ends the calls that are under way. */
  close(): void {
    this.#isRetired = true
    this.#link?.session.destroy()
  }

  #connected(): Link {
    if (!this.#link || this.#link.session.closed || this.#link.session.destroyed) this.#link = this.#connect()
    return this.#link
  }

  #connect(): Link {
    const { certificates } = this.#options
    const target = shownAddress(this.#node)
    const session = http2.connect(`${certificates ? 'https' : 'http'}://${target}`, {
      ...certificates,
      maxSessionMemory: CONNECTION_MEMORY_MB,
      settings: { enablePush: false, initialWindowSize: CALL_WINDOW_BYTES },
    })
    let broken: Error | null = null
    let isEstablished = false
    session.on('error', (error) => {
      broken ??= error
    })
    session.once('connect', () => session.setLocalWindowSize(CONNECTION_WINDOW_BYTES))
    session.once('remoteSettings', () => {
      isEstablished = true
    })
    session.once('close', this.#keepAlive(session))
    const whyBroken = (error: Error | null) => {
      const reason = (broken ?? error)?.message ?? 'it was closed'
      const what = isEstablished ? `the connection to ${target} was lost` : `No connection established to ${target}`
      return new GrpcFailure(GRPC_STATUS.unavailable, `${what}: ${reason}`, broken ?? error)
    }
    return { session, whyBroken }
  }

  /** Detects a server that no longer answers. Returns a function that stops the watch. */
  #keepAlive(session: ClientHttp2Session): () => void {
    const { keepAlive, clock } = this.#options
    const { intervalMs, timeoutMs } = keepAlive
    if (intervalMs < 0) return () => {}
    const wait = () => clock.after(intervalMs, ping)
    const ping = () => {
      if (this.#calls.size === 0 || session.connecting || session.destroyed) {
        timer = wait()
        return
      }
      const lose = () => session.destroy(new Error(`no sign of life within ${timeoutMs} ms`))
      // After a stall of this process timers run before sockets are read.
      timer = timeoutMs < 0 ? wait() : clock.after(timeoutMs, () => setImmediate(() => hasAnswered || lose()))
      let hasAnswered = false
      session.ping((error: Error | null) => {
        if (error) return
        hasAnswered = true
        timer.cancel()
        timer = wait()
      })
    }
    let timer = wait()
    return () => timer.cancel()
  }
}

/** As in the store's client, a password is never sent without encryption. */
function authorization({ certificates, user }: GrpcConnectionOptions): http2.OutgoingHttpHeaders {
  if (!certificates || !user) return {}
  return { authorization: `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}` }
}
