import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { CompanyBreakers, FailureKind } from '../../platform/circuitBreaker/companyBreakers.ts'
import type { Clock, Timer } from '../../platform/clock/clock.ts'
import { joined } from '../../platform/http/body/joined.ts'
import type { ProviderPool } from './providerPool.ts'
import type { Provider } from './providersFile.ts'
import { ProviderUnreachable, type UnreachableReason } from './providerUnreachable.ts'

/** The size limit of a provider's whole answer, and of one event of a streamed answer. */
export const PROVIDER_ANSWER_BYTES_MAX = 32 * 1024 * 1024
/** How much of a provider's error answer is read, and for how long. */
export const PROVIDER_REFUSAL_BYTES_MAX = 16 * 1024
export const PROVIDER_REFUSAL_MS = 2_000

export type ProviderAnswer = {
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | null
  readonly body: ProviderBody
}

/**
 * The bytes of an answer, either whole or in chunks. Each iteration yields everything that has arrived since the last;
 * leaving the loop early closes the connection.
 */
export interface ProviderBody extends AsyncIterable<Buffer> {
  /** Unread bytes have arrived. They can be read even after the call was given up. */
  readonly hasUnread: boolean
  /** The whole body, or null if it exceeds the limit. Rejects if the answer breaks off. */
  whole(bytesMax: number): Promise<Buffer | null>
  /** The bytes that arrive within these limits, even if the answer then breaks off. The rest is discarded. */
  beginning(bytesMax: number, msMax: number): Promise<Buffer>
}

/** A call to a provider that is in flight. */
export interface SentCall {
  /** Resolves when the answer begins; rejects with ProviderUnreachable if it never does. */
  readonly answered: Promise<ProviderAnswer>
  readonly givenUp: boolean
  /** It was given up before it had a connection, so the provider knows nothing of it. */
  readonly givenUpUnsent: boolean
  /** When the last byte of the answer arrived, on the monotonic clock; null until then. */
  readonly endedAtMs: number | null
  /** Ends the call at once, whether or not the answer is complete. */
  giveUp(): void
  /** The answer contradicts itself. It counts as a failure, although it may be complete. */
  disprove(): void
}

/** How many bytes are buffered ahead of the reader before the connection is paused. */
const QUEUED_BYTES_MAX = 64 * 1024

export type AnswerReceiverOptions = {
  readonly provider: Provider
  readonly breaker: CompanyBreakers
  /** The company that makes the call. */
  readonly company: string
  readonly pool: ProviderPool
  readonly clock: Clock
}

/** The provider refuses our account, whatever the request. */
const ACCOUNT_STATUSES = new Set([401, 402])
/** The request may be the cause. Some providers answer 403 to content that they do not accept. */
const CALL_STATUSES = new Set([403, 408])

/**
 * Null if the answer is not a failure of the provider. 404 is not, because it may concern something that the request
 * names, and neither is 429, because the load of one company may cause it and the provider says when it ends.
 */
function failureOf(status: number): FailureKind | null {
  if (ACCOUNT_STATUSES.has(status)) return 'service'
  return status >= 500 || CALL_STATUSES.has(status) ? 'call' : null
}

/**
 * Receives an answer straight from undici's parser. A stream object around it would cost half as much CPU time as a
 * bare proxy spends on a whole call.
 */
export class AnswerReceiver implements Dispatcher.DispatchHandler, SentCall, ProviderBody {
  readonly #answered = Promise.withResolvers<ProviderAnswer>()
  readonly #provider: Provider
  readonly #breaker: CompanyBreakers
  readonly #company: string
  readonly #pool: ProviderPool
  readonly #clock: Clock
  #givenUp = false
  #givenUpUnsent = false
  /** We ended the call ourselves, so its outcome says nothing about the provider. */
  #aborted = false
  /** The outcome has been reported to the breaker. */
  #isReported = false
  /** The failures before a complete answer. */
  #failuresBefore: number | null = null
  #connectTimer: Timer | null = null
  /** Set while the call waits for one of the connections in use. */
  #leaveQueue: (() => void) | null = null
  #controller: Dispatcher.DispatchController | null = null
  #chunks: Buffer[] = []
  #queuedBytes = 0
  #state: 'open' | 'ended' | Error = 'open'
  #endedAtMs: number | null = null
  #wakeReader: () => void = () => {}

  constructor({ provider, breaker, company, pool, clock }: AnswerReceiverOptions) {
    this.#provider = provider
    this.#breaker = breaker
    this.#company = company
    this.#pool = pool
    this.#clock = clock
  }

  get answered(): Promise<ProviderAnswer> {
    return this.#answered.promise
  }

  get givenUp(): boolean {
    return this.#givenUp
  }

  get givenUpUnsent(): boolean {
    return this.#givenUpUnsent
  }

  get endedAtMs(): number | null {
    return this.#endedAtMs
  }

  get hasUnread(): boolean {
    return this.#chunks.length > 0
  }

  giveUp(): void {
    this.#givenUp = true
    this.#givenUpUnsent = this.#controller === null
    this.#abort()
  }

  disprove(): void {
    if (this.#failuresBefore === null) {
      this.#failed('usage')
    } else {
      this.#breaker.disproved(this.#failuresBefore, this.#company)
      this.#failuresBefore = null
    }
  }

  /** Rejects the call without sending it. */
  refuse(cause: Error, reason: UnreachableReason, retryAfterMs: number | null): void {
    // If the call was a breaker's probe, the breaker may let another one through instead.
    this.#abandoned()
    this.#answered.reject(new ProviderUnreachable(this.#provider, cause, reason, retryAfterMs))
  }

  /** The request cannot be sent at all, which says nothing about the provider. */
  unsendable(error: Error): void {
    this.#abandoned()
    this.#end(error)
    this.#answered.reject(new ProviderUnreachable(this.#provider, error))
  }

  /** The company's share of the connections is in use. Limits how long the call waits for a free one. */
  waitInQueue(leaveQueue: () => void, msMax: number): void {
    this.#leaveQueue = leaveQueue
    this.#connectTimer = this.#clock.after(msMax, () => {
      leaveQueue()
      this.leftQueue()
      this.refuse(new Error(`no connection was free within ${msMax} ms`), 'provider_busy', null)
    })
  }

  leftQueue(): void {
    this.#connectTimer?.cancel()
    this.#leaveQueue = null
  }

  /** Limits how long it may take to connect. */
  waitForConnection(msMax: number): void {
    if (this.#controller !== null || this.#state !== 'open') return
    this.#connectTimer = this.#clock.after(msMax, () => {
      const cause = new Error(`no connection within ${msMax} ms`)
      this.#answered.reject(new ProviderUnreachable(this.#provider, cause))
      this.#failed('service')
      this.#abort()
    })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#connectTimer?.cancel()
    this.#controller = controller
    if (this.#aborted) this.#abort()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Interim answers, such as early hints, precede the answer itself.
    if (status < 200) return
    const failure = status === 200 ? null : failureOf(status)
    if (failure === null) this.#breaker.answered(this, this.#company)
    else this.#failed(failure)
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
    this.#completed()
    this.#end('ended')
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#connectTimer?.cancel()
    if (this.#aborted) this.#abandoned()
    // Without a controller there was no connection, so the request cannot be the cause.
    else this.#failed(this.#controller === null ? 'service' : 'call')
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
    const timer = this.#clock.after(msMax, () => this.#abort())
    const chunks: Buffer[] = []
    let bytes = 0
    try {
      for await (const chunk of this) {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > bytesMax) break
      }
    } catch {
      // The answer broke off: what has arrived is enough.
    }
    timer.cancel()
    return Buffer.concat(chunks)
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    try {
      while (await this.#more()) yield joined(this.#take())
    } finally {
      if (this.#state === 'open') this.#abort()
    }
  }

  /** Waits until bytes are available; false at the end of the answer. */
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
    this.#endedAtMs = this.#clock.monotonicMs()
    this.#pool.ended(this.#company)
    this.#wakeReader()
  }

  #completed(): void {
    if (this.#isReported) return
    this.#isReported = true
    this.#failuresBefore = this.#breaker.completed(this.#company)
  }

  #failed(kind: FailureKind): void {
    if (this.#isReported) return
    this.#isReported = true
    this.#breaker.failed(this, this.#company, kind)
  }

  #abandoned(): void {
    if (this.#isReported) return
    this.#isReported = true
    this.#breaker.abandoned(this, this.#company)
  }

  #abort(): void {
    this.#aborted = true
    const cause = new Error('the call was aborted')
    if (this.#controller) {
      this.#controller.abort(cause)
    } else {
      this.#leaveQueue?.()
      this.leftQueue()
      // A call that is still connecting ends as soon as it has a connection; its caller need not wait for that.
      this.#abandoned()
      this.#answered.reject(new ProviderUnreachable(this.#provider, cause))
    }
  }
}

/** undici returns a repeated header as a list. */
function first(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}
