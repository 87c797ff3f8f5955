import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Provider } from './providersFile.ts'

export type ProviderAnswer = {
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | null
  readonly body: ProviderBody
}

/** The bytes of an answer: as they arrive, or whole. Leaving the loop early closes the connection. */
export interface ProviderBody extends AsyncIterable<Buffer> {
  /** Rejects when it breaks off; null: it is larger than that. */
  whole(bytesMax: number): Promise<Buffer | null>
}

/** A call to a provider that is under way. */
export interface SentCall {
  /** Resolves when the answer begins; rejects with ProviderUnreachable when it never does. */
  readonly answered: Promise<ProviderAnswer>
  readonly givenUp: boolean
  /** Lets the provider go, whatever it still has to say. */
  giveUp(): void
}

/** The provider did not answer: refused, timed out, or broke off before its answer began. */
export class ProviderUnreachable extends Error {
  constructor(provider: Provider, cause: unknown) {
    super(`provider ${provider.name} did not answer: ${(cause as Error).message}`, { cause })
    this.name = 'ProviderUnreachable'
  }
}

/** What is received ahead of its reader before the provider is told to wait. */
const QUEUED_BYTES_MAX = 64 * 1024

/**
 * Takes an answer straight from undici's parser. A stream object around it would cost the gateway as much as half of
 * what a bare proxy spends on the whole call.
 */
export class AnswerReceiver implements Dispatcher.DispatchHandler, SentCall, ProviderBody {
  readonly #answered = Promise.withResolvers<ProviderAnswer>()
  readonly #provider: Provider
  #givenUp = false
  #controller: Dispatcher.DispatchController | null = null
  #chunks: Buffer[] = []
  #queuedBytes = 0
  #state: 'open' | 'ended' | Error = 'open'
  #wakeReader: () => void = () => {}

  constructor(provider: Provider) {
    this.#provider = provider
  }

  get answered(): Promise<ProviderAnswer> {
    return this.#answered.promise
  }

  get givenUp(): boolean {
    return this.#givenUp
  }

  giveUp(): void {
    this.#givenUp = true
    this.#abort()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#givenUp) this.#abort()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // An interim answer, such as early hints, is not yet the answer.
    if (status < 200) return
    const contentType = first(headers['content-type']) ?? ''
    this.#answered.resolve({ status, contentType, retryAfter: first(headers['retry-after']), body: this })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#queuedBytes += chunk.length
    if (this.#queuedBytes > QUEUED_BYTES_MAX) controller.pause()
    this.#wakeReader()
  }

  onResponseEnd(): void {
    this.#end('ended')
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#end(error)
    this.#answered.reject(new ProviderUnreachable(this.#provider, error))
  }

  async whole(bytesMax: number): Promise<Buffer | null> {
    const chunks: Buffer[] = []
    let bytes = 0
    while (await this.#more()) {
      const taken = this.#take()
      for (const chunk of taken) bytes += chunk.length
      if (bytes > bytesMax) {
        this.#abort()
        return null
      }
      chunks.push(...taken)
    }
    return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, bytes)
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    try {
      while (await this.#more()) yield* this.#take()
    } finally {
      if (this.#state === 'open') this.#abort()
    }
  }

  /** Waits for the next bytes; false at the end of the answer. */
  async #more(): Promise<boolean> {
    while (this.#chunks.length === 0 && this.#state === 'open') {
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve
      })
    }
    if (this.#chunks.length > 0) return true
    if (this.#state instanceof Error) throw this.#state
    return false
  }

  #take(): Buffer[] {
    const taken = this.#chunks
    this.#chunks = []
    this.#queuedBytes = 0
    if (this.#controller?.paused) this.#controller.resume()
    return taken
  }

  #end(state: 'ended' | Error): void {
    this.#state = state
    this.#wakeReader()
  }

  #abort(): void {
    this.#controller?.abort(new Error('the call was given up'))
  }
}

/** A header that is sent twice comes as a list. */
function first(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}
