import type { Clock } from '../../clock/clock.ts'
import { within } from '../../clock/within.ts'
import type { EncodedEvent } from '../eventGuard.ts'
import { AppendOutcomeUnknown, type ExpectedRevision, StoreUnavailable } from '../port.ts'
import { APPEND_TIMEOUT_MS, APPENDS_WAITING_MAX } from '../storeLimits.ts'
import { readAnswer, type StoredAt } from './appendAnswer.ts'
import { type AppendRequest, appendRequest } from './appendRequest.ts'
import { AppendSession } from './appendSession.ts'
import { StoreClient } from './storeClient.ts'

/** Appends that were sent to EventStoreDB and not answered; the next ones wait, and so are known not to be stored. */
const APPENDS_UNANSWERED_MAX = 1_000

export type Appended = StoredAt & { readonly appendId: string }

type Append = AppendRequest & {
  /** Until it is sent, the end of its wait for that; then the end of its wait for an answer. */
  dueAt: number
  sentAt: number
  resolve(appended: Appended): void
  reject(error: unknown): void
}

/** To connect, where that is needed, and to have its turn: not a part of the time for the answer. */
const SEND_MS = APPEND_TIMEOUT_MS

/**
 * Sends appends over one call to the server, without waiting for the answer to one before the next, and knows of each
 * whether it was sent. It keeps the time itself: a server that never answers makes neither the client nor gRPC give up.
 */
export class BatchAppends {
  readonly #url: string
  readonly #clock: Clock
  readonly #answerMs: number
  readonly #stopped = new AbortController()
  #closed = false
  /** Not sent. */
  readonly #waiting: Append[] = []
  /** Sent and not answered, by append id, the oldest first. */
  readonly #sent = new Map<string, Append>()
  #client: StoreClient | null = null
  #session: AppendSession | null = null
  #opening = false
  #watching = false
  #lastAnswerAt = Number.NEGATIVE_INFINITY
  #onSettled: () => void = () => {}

  constructor(url: string, clock: Clock, answerMs: number) {
    this.#url = url
    this.#clock = clock
    this.#answerMs = answerMs
  }

  append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<Appended> {
    if (this.#closed) throw new StoreUnavailable('the event store is closed')
    if (this.#waiting.length >= APPENDS_WAITING_MAX) {
      throw new StoreUnavailable(`${APPENDS_WAITING_MAX} appends are waiting already`)
    }
    const request = appendRequest(stream, expected, events)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...request, dueAt: this.#clock.now() + SEND_MS, sentAt: 0, resolve, reject })
      this.#send()
      if (!this.#watching) void this.#watch()
    })
  }

  /** Refuses new appends and waits for those that are under way; each of them has its time limit. */
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

  #send(): void {
    const session = this.#session
    if (!session) {
      if (!this.#opening && this.#waiting.length > 0) void this.#open()
      return
    }
    while (this.#waiting.length > 0 && this.#sent.size < APPENDS_UNANSWERED_MAX && session.takesMore) {
      const append = this.#waiting.shift()
      if (!append) return
      append.sentAt = this.#clock.now()
      append.dueAt = append.sentAt + this.#answerMs
      this.#sent.set(append.appendId, append)
      session.send(append)
    }
  }

  /** When this fails, nothing was sent of what waits. */
  async #open(): Promise<void> {
    this.#opening = true
    try {
      const client = new StoreClient(this.#url)
      this.#client = client
      await within(client.answers(), SEND_MS, this.#clock)
      this.#session = await AppendSession.open(client, {
        onAnswer: (appendId, response) => this.#answered(appendId, (append) => readAnswer(append, response)),
        onReady: () => this.#send(),
        onEnd: (session, error) => this.#ended(session, error),
      })
    } catch (error) {
      this.#discardClient()
      const unavailable = new StoreUnavailable('the event store cannot be reached', error)
      for (const append of this.#waiting.splice(0)) append.reject(unavailable)
    }
    this.#opening = false
    this.#send()
    this.#settled()
  }

  #answered(appendId: string, read: (append: Append) => StoredAt): void {
    this.#lastAnswerAt = this.#clock.now()
    const append = this.#sent.get(appendId)
    // One that was given up: its outcome is being pursued.
    if (!append) return
    this.#sent.delete(appendId)
    try {
      append.resolve({ ...read(append), appendId })
    } catch (error) {
      append.reject(error)
    }
    this.#send()
    this.#settled()
  }

  /** Whether the server has stored what it did not answer, nobody knows. */
  #ended(session: AppendSession, error: Error): void {
    if (session !== this.#session) return
    this.#session = null
    this.#discardClient()
    for (const append of this.#sent.values()) append.reject(new AppendOutcomeUnknown(append.stream, error))
    this.#sent.clear()
    this.#send()
    this.#settled()
  }

  #discardClient(): void {
    this.#client?.close()
    this.#client = null
  }

  #settled(): void {
    if (this.#waiting.length + this.#sent.size === 0) this.#onSettled()
  }

  /** One timer for all: of those that wait for the same thing, the oldest is due first. */
  async #watch(): Promise<void> {
    this.#watching = true
    for (let dueAt = this.#nextDueAt(); dueAt !== null; dueAt = this.#nextDueAt()) {
      await this.#clock.delay(Math.max(0, dueAt - this.#clock.now()), this.#stopped.signal)
      this.#expire()
    }
    this.#watching = false
  }

  /** Looked at again soon enough for one that is sent meanwhile. */
  #nextDueAt(): number | null {
    const [sent] = this.#sent.values()
    const [waiting] = this.#waiting
    if (!sent && !waiting) return null
    return Math.min(
      sent?.dueAt ?? Number.POSITIVE_INFINITY,
      waiting ? this.#clock.now() + this.#answerMs : Number.POSITIVE_INFINITY,
    )
  }

  #expire(): void {
    const now = this.#clock.now()
    let silent = false
    for (const append of this.#sent.values()) {
      if (append.dueAt > now) break
      this.#sent.delete(append.appendId)
      silent ||= this.#lastAnswerAt < append.sentAt
      append.reject(new AppendOutcomeUnknown(append.stream, new Error(`no answer within ${this.#answerMs} ms`)))
    }
    while (this.#waiting[0] && this.#waiting[0].dueAt <= now) {
      this.#waiting.shift()?.reject(new StoreUnavailable(`the append could not be sent within ${SEND_MS} ms`))
    }
    // It has answered nothing since: whatever else was sent over this call is as good as lost.
    if (silent) this.#session?.abandon(new Error('the event store has stopped answering'))
    this.#send()
    this.#settled()
  }
}
