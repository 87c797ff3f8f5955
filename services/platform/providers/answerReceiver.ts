import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { joined } from '../http/joined.ts'
import type { CircuitBreaker } from './circuitBreaker.ts'
import type { ProviderPool } from './providerPool.ts'
import type { Provider } from './providersFile.ts'
import { ProviderUnreachable, type UnreachableReason } from './providerUnreachable.ts'

/** A whole answer of a provider that is not streamed, and one event of one that is. */
export const PROVIDER_ANSWER_BYTES_MAX = 32 * 1024 * 1024
/** What is read of a provider's refusal, and for how long. */
export const PROVIDER_REFUSAL_BYTES_MAX = 16 * 1024
export const PROVIDER_REFUSAL_MS = 2_000

export type ProviderAnswer = {
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | null
  readonly body: ProviderBody
}

/**
 * The bytes of an answer: as they arrive, all that came since the last look at once, or whole. Leaving the loop early
 * closes the connection.
 */
export interface ProviderBody extends AsyncIterable<Buffer> {
  /** Rejects when it breaks off; null: it is larger than that. */
  whole(bytesMax: number): Promise<Buffer | null>
  /** What came within these bounds, whether it broke off or not; the rest is let go. */
  beginning(bytesMax: number, msMax: number): Promise<Buffer>
}

/** A call to a provider that is under way. */
export interface SentCall {
  /** Resolves when the answer begins; rejects with ProviderUnreachable when it never does. */
  readonly answered: Promise<ProviderAnswer>
  readonly givenUp: boolean
  /** Lets the provider go, whatever it still has to say. */
  giveUp(): void
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
  readonly #breaker: CircuitBreaker
  readonly #pool: ProviderPool
  #givenUp = false
  /** We let the provider go, so how the call ends says nothing of it. */
  #aborted = false
  /** The breaker knows how the call went. */
  #judged = false
  #patience: NodeJS.Timeout | undefined
  #controller: Dispatcher.DispatchController | null = null
  #chunks: Buffer[] = []
  #queuedBytes = 0
  #state: 'open' | 'ended' | Error = 'open'
  #wakeReader: () => void = () => {}

  constructor(provider: Provider, breaker: CircuitBreaker, pool: ProviderPool) {
    this.#provider = provider
    this.#breaker = breaker
    this.#pool = pool
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

  /** The call is not even sent. */
  refuse(cause: Error, reason: UnreachableReason, retryAfterMs: number): void {
    this.#answered.reject(new ProviderUnreachable(this.#provider, cause, reason, retryAfterMs))
  }

  /** How long the call may wait for a connection before it counts as not answered. */
  waitForConnection(msMax: number): void {
    if (this.#controller !== null || this.#state !== 'open') return
    this.#patience = setTimeout(() => {
      const isBusy = this.#pool.isBusy
      const cause = new Error(`no connection within ${msMax} ms`)
      this.#answered.reject(
        new ProviderUnreachable(this.#provider, cause, isBusy ? 'provider_busy' : 'provider_unreachable'),
      )
      this.#judge(isBusy ? 'letGo' : 'failed')
      this.#abort()
    }, msMax)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    clearTimeout(this.#patience)
    this.#controller = controller
    if (this.#aborted) this.#abort()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // An interim answer, such as early hints, is not yet the answer.
    if (status < 200) return
    if (status >= 500 || status === 408) this.#judge('failed')
    else this.#breaker.answered(this)
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
    this.#judge('completed')
    this.#end('ended')
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    clearTimeout(this.#patience)
    this.#judge(this.#aborted ? 'letGo' : 'failed')
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
    return joined(chunks)
  }

  async beginning(bytesMax: number, msMax: number): Promise<Buffer> {
    const timer = setTimeout(() => this.#abort(), msMax)
    const chunks: Buffer[] = []
    let bytes = 0
    try {
      for await (const chunk of this) {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > bytesMax) break
      }
    } catch {
      // It broke off: what came is enough.
    }
    clearTimeout(timer)
    return Buffer.concat(chunks)
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    try {
      while (await this.#more()) yield joined(this.#take())
    } finally {
      if (this.#state === 'open') this.#abort()
    }
  }

  /** Waits for the next bytes, unless they are there; false at the end of the answer. */
  #more(): boolean | Promise<boolean> {
    if (this.#chunks.length > 0) return true
    if (this.#state instanceof Error) throw this.#state
    if (this.#state === 'ended') return false
    return new Promise<void>((resolve) => {
      this.#wakeReader = resolve
    }).then(() => this.#more())
  }

  #take(): Buffer[] {
    const taken = this.#chunks
    this.#chunks = []
    this.#queuedBytes = 0
    if (this.#controller?.paused) this.#controller.resume()
    return taken
  }

  #end(state: 'ended' | Error): void {
    if (this.#state !== 'open') return
    this.#state = state
    this.#pool.ended()
    this.#wakeReader()
  }

  #judge(verdict: 'completed' | 'failed' | 'letGo'): void {
    if (this.#judged) return
    this.#judged = true
    this.#breaker[verdict](this)
  }

  #abort(): void {
    this.#aborted = true
    const cause = new Error('the call was given up')
    if (this.#controller) {
      this.#controller.abort(cause)
    } else {
      // It waits for a connection, which it will leave as soon as it has it; nobody has to wait with it.
      this.#judge('letGo')
      this.#answered.reject(new ProviderUnreachable(this.#provider, cause))
    }
  }
}

/** A header that is sent twice comes as a list. */
function first(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}
