import type { Clock } from '../../../clock/clock.ts'
import { within } from '../../../clock/within.ts'
import { AppendOutcomeUnknown, type MayBeSent, StoreUnavailable } from '../../port.ts'
import { APPEND_TIMEOUT_MS, APPENDS_WAITING_MAX } from '../../storeLimits.ts'
import type { StoreConnections } from '../connection/storeConnections.ts'
import type { StoreClient } from '../storeClient.ts'
import { type AppendAnswer, readAnswer, type StoredAt } from './appendAnswer.ts'
import type { AppendRequest } from './appendRequest.ts'
import { AppendSession } from './appendSession.ts'
import type { SentEvents } from './sentEvents.ts'

/** Appends in flight to EventStoreDB. Further ones wait unsent, so they are known not to be stored. */
export const APPENDS_UNANSWERED_MAX = 1_000

export type Appended = StoredAt & { readonly appendId: string }

export type AppendAttempt = Pick<AppendRequest, 'appendId' | 'stream' | 'nameOnServer' | 'expected' | 'events'> & {
  /** The latest moment at which the attempt ends. By default only the usual time-outs end it. */
  readonly endsAt?: number
  readonly mayBeSent?: MayBeSent | undefined
}

/**
 * How far the server's clock may be ahead of ours; beyond that it refuses all appends. This is also how long after its
 * deadline an append may still be stored.
 */
const CLOCK_SKEW_MS = 60_000

/** The server compares deadlines with its own clock, so they are in real time, whatever clock the process uses. */
export type RealTime = Pick<Clock, 'now'>

export type BatchAppendsOptions = {
  readonly clock: Clock
  readonly realTime: RealTime
  readonly answerMs: number
  readonly sent?: SentEvents
}

type Append = AppendRequest & {
  readonly endsAt: number
  /** The deadline for sending it; once it is sent, the deadline for its result. */
  dueAt: number
  sentAt: number
  storableUntilMs: number
  readonly mayBeSent: MayBeSent | undefined
  resolve(appended: Appended): void
  reject(error: unknown): void
}

/** The time to connect, if needed, and to send. The time for the result starts afterwards. */
const SEND_MS = APPEND_TIMEOUT_MS

/**
 * Pipelines appends over one call to the server and tracks which were sent. It enforces the deadlines itself, because
 * neither the client nor gRPC gives up on a server that never answers.
 */
export class BatchAppends {
  readonly #connections: StoreConnections
  readonly #clock: Clock
  readonly #realTime: RealTime
  readonly #answerMs: number
  readonly #sentEvents: SentEvents | undefined
  readonly #stopped = new AbortController()
  #closed = false
  /** Not sent yet. */
  readonly #waiting: Append[] = []
  /** Sent and not answered, by append id, oldest first. */
  readonly #sent = new Map<string, Append>()
  #client: StoreClient | null = null
  #session: AppendSession | null = null
  #opening = false
  #watching = false
  #lastAnswerAt = Number.NEGATIVE_INFINITY
  #onSettled: () => void = () => {}

  constructor(connections: StoreConnections, { clock, realTime, answerMs, sent }: BatchAppendsOptions) {
    this.#connections = connections
    this.#clock = clock
    this.#realTime = realTime
    this.#answerMs = answerMs
    this.#sentEvents = sent
  }

  append(attempt: AppendAttempt): Promise<Appended> {
    if (this.#closed) throw new StoreUnavailable('the event store is closed')
    if (this.#waiting.length >= APPENDS_WAITING_MAX) {
      throw new StoreUnavailable(`the queue of ${APPENDS_WAITING_MAX} appends is full`)
    }
    const { appendId, stream, nameOnServer, expected, events, mayBeSent, endsAt = Number.POSITIVE_INFINITY } = attempt
    const dueAt = Math.min(this.#clock.now() + SEND_MS, endsAt)
    return new Promise((resolve, reject) => {
      // One object from here to the answer, with its fields spelled out: copying would cost more than the rest of the queue.
      this.#waiting.push({
        appendId,
        stream,
        nameOnServer,
        expected,
        events,
        endsAt,
        dueAt,
        sentAt: 0,
        storableUntilMs: 0,
        mayBeSent,
        resolve,
        reject,
      })
      this.#send()
      if (!this.#watching) void this.#watch()
    })
  }

  /** Refuses new appends and waits for those under way, each of which has a deadline. */
  async close(): Promise<void> {
    this.#closed = true
    await new Promise<void>((resolve) => {
      this.#onSettled = resolve
      this.#settled()
    })
    this.#stopped.abort()
    this.#session?.end()
    this.#discardClient()
  }

  /** By the server's clock, as far as this process knows it. */
  #serverTimeAt(dueAt: number): number {
    return this.#realTime.now() + (dueAt - this.#clock.now()) + CLOCK_SKEW_MS
  }

  #send(): void {
    const session = this.#session
    if (!session) {
      if (!this.#opening && this.#waiting.length > 0) void this.#open()
      return
    }
    while (this.#waiting.length > 0 && this.#sent.size < APPENDS_UNANSWERED_MAX && session.takesMore) {
      const append = this.#waiting.shift()
      if (!append) return
      if (append.mayBeSent?.() === false) {
        append.reject(new StoreUnavailable('the append may not be sent any more'))
        continue
      }
      append.sentAt = this.#clock.now()
      append.dueAt = Math.min(append.sentAt + this.#answerMs, append.endsAt)
      append.storableUntilMs = this.#serverTimeAt(append.dueAt)
      this.#sent.set(append.appendId, append)
      session.send(append, this.#sentEvents)
    }
  }

  /** If this fails, none of the waiting appends was sent. */
  async #open(): Promise<void> {
    this.#opening = true
    try {
      const client = this.#connections.another()
      this.#client = client
      await within(client.answers(), SEND_MS, this.#clock)
      this.#session = await AppendSession.open(client, {
        onAnswer: (answer) => this.#answered(answer),
        onReady: () => this.#send(),
        onEnd: (session, error) => this.#ended(session, error),
      })
    } catch (error) {
      this.#giveUpClient()
      const unavailable = new StoreUnavailable('the event store cannot be reached', error)
      for (const append of this.#waiting.splice(0)) append.reject(unavailable)
    }
    this.#opening = false
    this.#send()
    this.#settled()
  }

  #answered(answer: AppendAnswer): void {
    const { appendId } = answer
    this.#lastAnswerAt = this.#clock.now()
    const append = this.#sent.get(appendId)
    // It timed out earlier: its outcome is being pursued.
    if (!append) return
    this.#sent.delete(appendId)
    try {
      const { revision, position } = readAnswer(append, answer)
      append.resolve({ revision, position, appendId })
    } catch (error) {
      append.reject(error)
    }
    this.#send()
    this.#settled()
  }

  /** The server may or may not have stored the appends that it did not answer. */
  #ended(session: AppendSession, error: Error): void {
    if (session !== this.#session) return
    this.#session = null
    this.#giveUpClient()
    for (const append of this.#sent.values()) append.reject(new AppendOutcomeUnknown(append.stream, error))
    this.#sent.clear()
    this.#send()
    this.#settled()
  }

  #giveUpClient(): void {
    if (this.#client) this.#connections.failed(this.#client)
    this.#discardClient()
  }

  #discardClient(): void {
    this.#client?.close()
    this.#client = null
  }

  #settled(): void {
    if (this.#waiting.length + this.#sent.size === 0) this.#onSettled()
  }

  /** One timer serves all appends. */
  async #watch(): Promise<void> {
    this.#watching = true
    for (let dueAt = this.#nextDueAt(); dueAt !== null; dueAt = this.#nextDueAt()) {
      await this.#clock.delay(Math.max(0, dueAt - this.#clock.now()), this.#stopped.signal)
      this.#expire()
    }
    this.#watching = false
  }

  /** Early enough for an append that is sent during the wait. */
  #nextDueAt(): number | null {
    const [waiting] = this.#waiting
    if (this.#sent.size === 0 && !waiting) return null
    let dueAt = waiting ? this.#clock.now() + this.#answerMs : Number.POSITIVE_INFINITY
    // Repetitions have less time than the appends before them, so the oldest one is not always due first.
    for (const sent of this.#sent.values()) dueAt = Math.min(dueAt, sent.dueAt)
    return dueAt
  }

  #expire(): void {
    const now = this.#clock.now()
    let silent = false
    for (const append of this.#sent.values()) {
      if (append.dueAt > now) continue
      this.#sent.delete(append.appendId)
      silent ||= this.#lastAnswerAt < append.sentAt
      append.reject(new AppendOutcomeUnknown(append.stream, new Error(`no answer within ${this.#answerMs} ms`)))
    }
    while (this.#waiting[0] && this.#waiting[0].dueAt <= now) {
      this.#waiting.shift()?.reject(new StoreUnavailable(`the append could not be sent within ${SEND_MS} ms`))
    }
    // The server has sent no result since then, so the other appends of this call will not be answered either.
    if (silent) this.#session?.abandon(new Error('the event store stopped answering'))
    this.#send()
    this.#settled()
  }
}
