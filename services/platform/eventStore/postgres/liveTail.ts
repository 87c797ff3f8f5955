import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { RecordedEvent } from '../../../../contracts/envelope.ts'
import { BUSY_EVENTS_MIN } from '../../../../projections/runner/batchLimits.ts'
import { LIVE_TAIL_GATHER_MS, READ_PAGE_EVENTS_MAX, SUBSCRIPTION_POLL_MS } from '../storeLimits.ts'
import { dropConnection } from './dropConnection.ts'
import type { EventPage } from './eventPages.ts'
import { EventRate } from './eventRate.ts'
import { OFFERED_GATHER_MS } from './otherThreads.ts'
import { Paced } from './paced.ts'

/** Recent events kept in memory, so that several subscribers at the head cost one read. */
export const LIVE_TAIL_EVENTS_MAX = 5_000
export const LIVE_TAIL_BYTES_MAX = 16 * 1024 * 1024

const NOTHING = { read: 0, isFull: false }

export type ReadAfter = (position: number, limit: number) => Promise<EventPage>

/**
 * The newest events, read once for all subscribers of this process. It wakes on NOTIFY and, because a notification can
 * be lost with its connection, on a poll as well. Under heavy load, when there is a commit every millisecond or two,
 * being told of each would cost more than the events: it then does not listen and looks now and then. Positions have no
 * gaps and become visible in their order, so the tail only ever has to ask for what comes after the last event it knows.
 */
export class LiveTail {
  readonly #url: string
  readonly #readAfter: ReadAfter
  /** Between a notification and the read, in which what it told of may be offered. */
  readonly #gatherMsMin: number
  readonly #closing = new AbortController()
  /** Consecutive events; the first one stands at position #after + 1. */
  #events: RecordedEvent[] = []
  #after = 0
  /** How they came, the oldest first, and about how much they take. */
  #batches: { readonly events: number; readonly bytes: number }[] = []
  #bytes = 0
  #wakeReader: () => void = () => {}
  /** The highest position that a notification named. */
  #toldOf = 0
  /** Something may be there that nobody told of. */
  #mustLook = true
  #waiters = new Set<() => void>()
  /** Each batch of a busy process would otherwise wake each of its subscribers. */
  readonly #wakePaced = new Paced(OFFERED_GATHER_MS, () => this.#wakeWaiters())
  #running: Promise<void> | null = null
  #listener: pg.Client | null = null
  #isHearing = false

  constructor(url: string, readAfter: ReadAfter, gatherMsMin = 0) {
    this.#url = url
    this.#gatherMsMin = gatherMsMin
    this.#readAfter = readAfter
  }

  /** Events after the position from memory; null when memory does not reach back that far. */
  after(position: number, limit: number): RecordedEvent[] | null {
    if (!this.#running || position < this.#after) return null
    const start = position - this.#after
    return this.#events.slice(start, start + limit)
  }

  /** Resolves when there may be something after the position, or the signal aborts. The position is that of a caught-up reader. */
  async more(position: number, signal: AbortSignal): Promise<void> {
    if (!this.#running) {
      this.#after = position
      this.#running = this.#run()
    }
    if (signal.aborted || this.#closing.signal.aborted || position < this.#after + this.#events.length) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#waiters.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiters.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  /**
   * Events that this process has just stored, for which the database need not be asked. Taken only when they follow
   * directly on what is known; otherwise they come with the next read.
   */
  offer(after: number, bytes: number, events: () => readonly RecordedEvent[]): void {
    if (!this.#running || after !== this.#last) return
    this.#keep(events(), bytes)
    this.#wakePaced.soon()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#look()
    if (this.#listener) dropConnection(this.#listener)
    await this.#running
    this.#wakePaced.stop()
    this.#wakeWaiters()
  }

  get #last(): number {
    return this.#after + this.#events.length
  }

  async #run(): Promise<void> {
    const listening = this.#listen()
    const rate = new EventRate(this.#last, performance.now())
    const { quiet, busy, heavy } = LIVE_TAIL_GATHER_MS
    while (!this.#closing.signal.aborted) {
      const { read, isFull } = this.#mustLook || this.#toldOf > this.#last ? await this.#read() : NOTHING
      if (isFull) continue
      const isHeavy = rate.isHeavy(this.#last, performance.now())
      this.#hear(!isHeavy)
      if (isHeavy) {
        await this.#pause(heavy)
        this.#mustLook = true
        continue
      }
      await this.#toldOrPolled()
      // Under load there is a commit every few milliseconds: one read for several of them is enough.
      await this.#pause(Math.max(this.#gatherMsMin, read < BUSY_EVENTS_MIN ? quiet : busy))
    }
    await listening
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#closing.signal }).catch(() => {})
  }

  /** What is stored before the database has taken the word is found by the look after it. */
  #hear(isWanted: boolean): void {
    if (!this.#listener || this.#isHearing === isWanted) return
    this.#isHearing = isWanted
    const asked = this.#listener.query(isWanted ? 'listen event_store' : 'unlisten event_store')
    // A connection that is broken is made anew, and listens then.
    asked.then(
      () => isWanted && this.#look(),
      () => {},
    )
  }

  async #read(): Promise<{ readonly read: number; readonly isFull: boolean }> {
    this.#mustLook = false
    const from = this.#last
    try {
      const { events, bytes, isFull } = await this.#readAfter(from, READ_PAGE_EVENTS_MAX)
      // What was offered meanwhile is known already.
      this.#keep(events.slice(this.#last - from), bytes)
      if (events.length > 0) this.#wakeWaiters()
      // What did not fit the page is there, and nobody may tell of it again.
      if (isFull) this.#mustLook = true
      return { read: events.length, isFull }
    } catch {
      // The database is away; look again when the poll comes round.
      await this.#pause(SUBSCRIPTION_POLL_MS)
      this.#mustLook = true
      return NOTHING
    }
  }

  #keep(events: readonly RecordedEvent[], bytes: number): void {
    if (events.length === 0) return
    for (const event of events) this.#events.push(event)
    this.#batches.push({ events: events.length, bytes })
    this.#bytes += bytes
    // Only when it has doubled, so that most reads copy nothing.
    if (this.#isOver(this.#events.length, 2)) this.#forgetOldest()
  }

  #forgetOldest(): void {
    let forgotten = 0
    let batches = 0
    for (const { events, bytes } of this.#batches) {
      if (!this.#isOver(this.#events.length - forgotten, 1)) break
      forgotten += events
      this.#bytes -= bytes
      batches++
    }
    this.#batches = this.#batches.slice(batches)
    this.#events = this.#events.slice(forgotten)
    this.#after += forgotten
  }

  #isOver(events: number, times: number): boolean {
    return events > times * LIVE_TAIL_EVENTS_MAX || this.#bytes > times * LIVE_TAIL_BYTES_MAX
  }

  #wakeWaiters(): void {
    for (const wake of [...this.#waiters]) wake()
  }

  #look(): void {
    this.#mustLook = true
    this.#wakeReader()
  }

  #told(position: number): void {
    this.#toldOf = Math.max(this.#toldOf, position)
    if (this.#toldOf > this.#last) this.#wakeReader()
  }

  async #toldOrPolled(): Promise<void> {
    if (this.#mustLook || this.#toldOf > this.#last || this.#closing.signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#look(), SUBSCRIPTION_POLL_MS)
      this.#wakeReader = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wakeReader = () => {}
  }

  async #listen(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const client = new pg.Client({ connectionString: this.#url, application_name: 'tollgate live tail' })
      const ended = new Promise<void>((resolve) => {
        client.on('error', () => resolve())
        client.on('end', () => resolve())
      })
      client.on('notification', ({ payload }) => this.#told(Number(payload)))
      this.#listener = client
      this.#isHearing = true
      try {
        // pg never settles the promise of a connection that is ended while it is being made.
        await Promise.race([client.connect(), ended])
        await client.query('listen event_store')
        this.#look()
        await ended
      } catch {
        // Refused for now: try again below.
      }
      await client.end().catch(() => {})
      await this.#pause(500)
    }
  }
}
