import type { GrpcCall } from '../connection/grpcCall.ts'
import type { StoreClient } from '../storeClient.ts'
import { type AppendAnswer, appendAnswer } from './appendAnswer.ts'
import { type AppendRequest, requestMessage } from './appendRequest.ts'
import type { SentEvents } from './sentEvents.ts'

export type SessionListener = {
  onAnswer(answer: AppendAnswer): void
  /** The session can send again. */
  onReady(): void
  /** Called once, however the session ended. */
  onEnd(session: AppendSession, error: Error): void
}

/** One gRPC call that sends appends and receives their results, in any order. */
export class AppendSession {
  readonly #call: GrpcCall
  readonly #listener: SessionListener
  #takesMore = true
  #ended = false

  private constructor(call: GrpcCall, listener: SessionListener) {
    this.#call = call
    this.#listener = listener
    call.on('data', (message) => this.#receive(message))
    call.on('drain', () => {
      this.#takesMore = true
      listener.onReady()
    })
    call.on('error', (error) => this.#end(error))
    call.on('end', () => this.#end(new Error('the event store ended the call')))
  }

  static async open(client: StoreClient, listener: SessionListener): Promise<AppendSession> {
    return new AppendSession(await client.openBatchAppend(), listener)
  }

  /** False while the write buffer of the call is full. */
  get takesMore(): boolean {
    return this.#takesMore && !this.#ended
  }

  send(request: AppendRequest, sent?: SentEvents): void {
    this.#takesMore = this.#call.write(requestMessage(request, sent))
  }

  abandon(error: Error): void {
    this.#call.cancel()
    this.#end(error)
  }

  end(): void {
    this.#ended = true
    this.#call.end()
  }

  #receive(message: Buffer): void {
    let answer: AppendAnswer
    try {
      answer = appendAnswer(message)
    } catch (error) {
      this.abandon(error as Error)
      return
    }
    this.#listener.onAnswer(answer)
  }

  #end(error: Error): void {
    if (this.#ended) return
    this.#ended = true
    this.#listener.onEnd(this, error)
  }
}
