import pg from 'pg'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { Position } from '../../../contracts/position.ts'
import { BUSY_EVENTS_MIN } from '../../../projections/runner/batchLimits.ts'
import type { Clock } from '../../clock/clock.ts'
import { type Connecting, dropConnection, KEPT_ALIVE } from '../../postgres/database.ts'
import { EventRate, HEAVY_EVENTS_PER_SECOND } from '../eventRate.ts'
import type { Tail } from '../followTail.ts'
import type { EventBatch } from '../port.ts'
import { RecentEvents, type TailReader } from '../recentEvents.ts'
import { LIVE_TAIL_GATHER_MS, READ_PAGE_EVENTS_MAX, SUBSCRIPTION_POLL_MS } from '../storeLimits.ts'
import type { EventPage } from './eventPages.ts'
import { numberOf, positionOf } from './positionNumber.ts'
import { STORED_BATCHES_INTERVAL_MS } from './storedBatchBroadcast.ts'
import { ThrottledWork } from './throttledWork.ts'

const RECONNECT_MS = 500
const NOTHING = { read: 0, isFull: false }

export type ReadAfter = (position: number, limit: number) => Promise<EventPage>

export type LiveTailOptions = {
  readonly connecting: Connecting
  readonly readAfter: ReadAfter
  readonly clock: Clock
  /** The shortest time between a notification and the read, because this process may offer the notified events itself. */
  readonly gatherMsMin?: number
}

/**
 * The newest events, read once for all subscribers of this process. It reads on NOTIFY and, because a notification can
 * be lost with its connection, on a poll as well. Under heavy load, with a commit every millisecond or two, the
 * notifications would cost more than the events: it then stops listening and polls at a short interval. Positions have
 * no gaps and become visible in order, so the tail only has to read what comes after the last event it knows.
 */
export class LiveTail implements Tail {
  readonly readers = new Set<TailReader>()
  readonly #connecting: Connecting
  readonly #readAfter: ReadAfter
  readonly #clock: Clock
  readonly #gatherMsMin: number
  readonly #closing = new AbortController()
  /** Null until the first reader has caught up. */
  #recent: RecentEvents | null = null
  /** The position of the last known event. */
  #last = 0
  #wakeReader: () => void = () => {}
  /** The highest position that a notification contained. */
  #notified = 0
  /** There may be events that were not notified. */
  #mustRead = true
  /** Throttled; otherwise each batch of a busy process would wake each of its subscribers. */
  readonly #wakeThrottled: ThrottledWork
  #running: Promise<void> | null = null
  #listener: pg.Client | null = null
  #isListening = false

  constructor({ connecting, readAfter, clock, gatherMsMin = 0 }: LiveTailOptions) {
    this.#connecting = connecting
    this.#readAfter = readAfter
    this.#clock = clock
    this.#gatherMsMin = gatherMsMin
    this.#wakeThrottled = new ThrottledWork(STORED_BATCHES_INTERVAL_MS, clock, () => this.#recent?.wake())
  }

  after(position: Position, limit: number): EventBatch | null {
    return this.#recent?.after(position, limit) ?? null
  }

  async more(position: Position, signal: AbortSignal): Promise<void> {
    if (this.#closing.signal.aborted) return
    if (!this.#recent) {
      this.#recent = new RecentEvents(position, this.readers)
      this.#last = numberOf(position)
      this.#running = this.#run()
    }
    await this.#recent.more(position, signal)
  }

  /**
   * Adds events that this process has just stored, without reading them from the database. They are accepted only if
   * they directly follow the last known event; otherwise the next read finds them.
   */
  offer(after: number, bytes: number, events: () => readonly RecordedEvent[]): void {
    if (!this.#recent || after !== this.#last) return
    this.#keep(events(), bytes)
    this.#wakeThrottled.request()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#requestRead()
    if (this.#listener) dropConnection(this.#listener)
    await this.#running
    this.#wakeThrottled.cancel()
    this.#recent?.wake()
  }

  async #run(): Promise<void> {
    const listening = this.#listen()
    const rate = new EventRate(this.#last, this.#clock.monotonicMs())
    const { quiet, busy, heavy } = LIVE_TAIL_GATHER_MS
    while (!this.#closing.signal.aborted) {
      const { read, isFull } = this.#mustRead || this.#notified > this.#last ? await this.#read() : NOTHING
      if (isFull) continue
      const isHeavy = rate.perSecond(this.#last, this.#clock.monotonicMs()) >= HEAVY_EVENTS_PER_SECOND
      this.#setListening(!isHeavy)
      if (isHeavy) {
        await this.#pause(heavy)
        this.#mustRead = true
        continue
      }
      await this.#notifiedOrPolled()
      // Under load there is a commit every few milliseconds: one read serves several of them.
      await this.#pause(Math.max(this.#gatherMsMin, read < BUSY_EVENTS_MIN ? quiet : busy))
    }
    await listening
  }

  async #pause(ms: number): Promise<void> {
    await this.#clock.delay(ms, this.#closing.signal)
  }

  /** Events that are committed before LISTEN takes effect are found by the read after it. */
  #setListening(isWanted: boolean): void {
    if (!this.#listener || this.#isListening === isWanted) return
    this.#isListening = isWanted
    const done = this.#listener.query(isWanted ? 'listen event_store' : 'unlisten event_store')
    // A broken connection is replaced by a new one that listens.
    done.then(
      () => isWanted && this.#requestRead(),
      () => {},
    )
  }

  async #read(): Promise<{ readonly read: number; readonly isFull: boolean }> {
    this.#mustRead = false
    const from = this.#last
    try {
      const { events, bytes, isFull } = await this.#readAfter(from, READ_PAGE_EVENTS_MAX)
      // Events that were offered during the read are already known.
      this.#keep(events.slice(this.#last - from), bytes)
      if (events.length > 0) this.#recent?.wake()
      // There may be no further notification for the events that did not fit on the page.
      if (isFull) this.#mustRead = true
      return { read: events.length, isFull }
    } catch {
      // The database is unavailable: read again at the next poll.
      await this.#pause(SUBSCRIPTION_POLL_MS)
      this.#mustRead = true
      return NOTHING
    }
  }

  /** Positions have no gaps. */
  #keep(events: readonly RecordedEvent[], bytes: number): void {
    this.#last += events.length
    this.#recent?.add(events, positionOf(this.#last), bytes)
  }

  #requestRead(): void {
    this.#mustRead = true
    this.#wakeReader()
  }

  #onNotification(position: number): void {
    this.#notified = Math.max(this.#notified, position)
    if (this.#notified > this.#last) this.#wakeReader()
  }

  async #notifiedOrPolled(): Promise<void> {
    if (this.#mustRead || this.#notified > this.#last || this.#closing.signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = this.#clock.after(SUBSCRIPTION_POLL_MS, () => this.#requestRead())
      this.#wakeReader = () => {
        timer.cancel()
        resolve()
      }
    })
    this.#wakeReader = () => {}
  }

  async #listen(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const client = new pg.Client({ ...this.#connecting, ...KEPT_ALIVE, application_name: 'tollgate live tail' })
      const ended = new Promise<void>((resolve) => {
        client.on('error', () => resolve())
        client.on('end', () => resolve())
      })
      client.on('notification', ({ payload }) => this.#onNotification(Number(payload)))
      this.#listener = client
      this.#isListening = true
      try {
        // pg never settles the promise of a connection that is ended while it connects.
        await Promise.race([client.connect(), ended])
        await client.query('listen event_store')
        this.#requestRead()
        await ended
      } catch {
        // The connection was refused: try again below.
      }
      await client.end().catch(() => {})
      await this.#pause(RECONNECT_MS)
    }
  }
}
