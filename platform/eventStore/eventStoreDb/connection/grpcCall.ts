import { EventEmitter } from 'node:events'
import { type ClientHttp2Stream, constants } from 'node:http2'
import { GRPC_STATUS, GrpcFailure, type GrpcOutcome, outcomeIn } from './grpcFailure.ts'
import { framed, MessageReader } from './grpcMessages.ts'

/** How many bytes may wait to be sent before the call accepts no more. */
const UNSENT_BYTES_MAX = 256 * 1024

type CallEvents = { data: [Buffer]; drain: []; end: []; error: [Error] }

/**
 * One gRPC call over HTTP/2. It emits the messages that arrive, and finally either its end or its error. Messages
 * written in one turn of the event loop are sent together, because the write is most of a message's cost.
 */
export class GrpcCall extends EventEmitter<CallEvents> {
  readonly #stream: ClientHttp2Stream
  /** The failure of a call that ended without a status, from the error of its stream. */
  readonly #whyBroken: (error: Error | null) => GrpcFailure
  readonly #reader = new MessageReader()
  #unsent: Buffer[] = []
  #unsentBytes = 0
  #isFull = false
  #isEnding = false
  #outcome: GrpcOutcome | null = null
  #error: Error | null = null
  #isOver = false

  constructor(stream: ClientHttp2Stream, whyBroken: (error: Error | null) => GrpcFailure) {
    super()
    this.#stream = stream
    this.#whyBroken = whyBroken
    stream.on('response', (headers) => this.#heard(outcomeIn(headers)))
    stream.on('trailers', (headers) => this.#heard(outcomeIn(headers)))
    stream.on('data', (chunk: Buffer) => this.#receive(chunk))
    stream.on('drain', () => this.#drained())
    stream.on('error', (error) => {
      this.#error ??= error
    })
    stream.on('end', () => {
      // The server has ended the call, whether or not this side has.
      if (!stream.closed) stream.close(constants.NGHTTP2_NO_ERROR)
      if (this.#outcome) this.#finish()
    })
    stream.on('close', () => this.#finish())
  }

  /** False if the call accepts no more until it emits "drain". */
  write(message: Buffer): boolean {
    if (this.#unsent.length === 0) setImmediate(() => this.#send())
    this.#unsent.push(message)
    this.#unsentBytes += message.length
    this.#isFull = this.#unsentBytes + this.#stream.writableLength >= UNSENT_BYTES_MAX
    return !this.#isFull
  }

  /** Nothing else will be written. */
  end(): void {
    this.#isEnding = true
    this.#send()
  }

  pause(): void {
    this.#stream.pause()
  }

  resume(): void {
    this.#stream.resume()
  }

  /** Ends the call on both sides. The listeners are notified afterwards. */
  cancel(): void {
    if (this.#isOver) return
    this.#outcome = new GrpcFailure(GRPC_STATUS.canceled, 'the call was canceled by this side')
    this.#stream.close(constants.NGHTTP2_CANCEL)
    // On a connection that hangs, the stream would not close.
    setImmediate(() => this.#finish())
  }

  #send(): void {
    const messages = this.#unsent
    this.#unsent = []
    this.#unsentBytes = 0
    if (this.#stream.closed || this.#stream.destroyed || this.#stream.writableEnded) return
    if (messages.length > 0 && this.#stream.write(framed(messages))) this.#drained()
    if (this.#isEnding) this.#stream.end()
  }

  #drained(): void {
    if (!this.#isFull) return
    this.#isFull = false
    this.emit('drain')
  }

  #receive(chunk: Buffer): void {
    if (this.#isOver) return
    let messages: readonly Buffer[]
    try {
      messages = this.#reader.read(chunk)
    } catch (error) {
      this.#outcome = new GrpcFailure(GRPC_STATUS.unknown, (error as Error).message, error)
      this.#stream.close(constants.NGHTTP2_CANCEL)
      this.#finish()
      return
    }
    for (const message of messages) this.emit('data', message)
  }

  #heard(outcome: GrpcOutcome | null): void {
    this.#outcome ??= outcome
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    const outcome = this.#outcome ?? this.#whyBroken(this.#error)
    if (outcome === 'succeeded') this.emit('end')
    else if (this.listenerCount('error') > 0) this.emit('error', outcome)
  }
}
