import type { Position } from '../../../../contracts/position.ts'
import type { Clock } from '../../../clock/clock.ts'
import type { Log } from '../../../logger/logger.ts'
import { BUSY_EVENTS_PER_SECOND, EventRate, HEAVY_EVENTS_PER_SECOND } from '../../eventRate.ts'
import type { Tail } from '../../followTail.ts'
import { OutageLog } from '../../outageLog.ts'
import type { EventBatch } from '../../port.ts'
import { RecentEvents, type TailReader } from '../../recentEvents.ts'
import { LIVE_TAIL_GATHER_MS } from '../../storeLimits.ts'
import type { StoreClient } from '../storeClient.ts'
import { readLateEvents } from './lateEvents.ts'
import { LiveEvents } from './liveEvents.ts'
import type { StoredEvent, StoredEvents, StoredPage } from './storedEvent.ts'
import type { StoreReader } from './storeReader.ts'

export const RESUBSCRIBE_MS = 200

export type SubscribedTailOptions = {
  connect(): StoreClient
  readonly reader: Pick<StoreReader, 'logEnd' | 'upTo'>
  readonly stored: StoredEvents
  readonly clock: Clock
  readonly log: Log
}

/**
 * The newest events, received once for all subscribers of this thread. The subscription has its own connection, because
 * an unread call would block the others on a shared one, and is always read, whatever the subscribers do. What the
 * server sends late is read in parallel (lateEvents.ts). After an outage it resubscribes at once where it was, because
 * the server is busy then and a revocation must not wait behind pages.
 */
export class SubscribedTail implements Tail {
  readonly readers = new Set<TailReader>()
  readonly #options: SubscribedTailOptions
  readonly #closing = new AbortController()
  /** Null until the first reader has caught up. */
  #recent: RecentEvents | null = null
  #running: Promise<void> | null = null

  constructor(options: SubscribedTailOptions) {
    this.#options = options
  }

  after(position: Position, limit: number): EventBatch | null {
    return this.#recent?.after(position, limit) ?? null
  }

  async more(position: Position, signal: AbortSignal): Promise<void> {
    if (this.#closing.signal.aborted) return
    if (!this.#recent) {
      this.#recent = new RecentEvents(position, this.readers)
      this.#running = this.#run()
    }
    // The page was empty although the tail is further ahead: it came from a node that lags behind.
    if (position < this.#recent.from) await this.#options.clock.delay(RESUBSCRIBE_MS, signal)
    else await this.#recent.more(position, signal)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
    this.#recent?.wake()
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options
    const { signal } = this.#closing
    const outage = new OutageLog({ clock, log, what: 'event store', meanwhile: 'subscribing again' })
    let isPlaced = false
    while (!signal.aborted) {
      try {
        if (!isPlaced) await this.#place()
        isPlaced = true
        await this.#receive(() => outage.answered())
      } catch (error) {
        if (signal.aborted) return
        outage.failed(error)
        await clock.delay(RESUBSCRIBE_MS, signal)
      }
    }
  }

  /** The first reader may claim a position beyond the end, which the others must not inherit. */
  async #place(): Promise<void> {
    const end = await this.#options.reader.logEnd()
    const claimed = this.#recent
    if (!claimed || claimed.reached <= end) return
    this.#recent = new RecentEvents(end, this.readers)
    claimed.wake()
  }

  /** Until the subscription fails, or the tail is closed. */
  async #receive(onProgress: () => void): Promise<void> {
    const { connect, reader, stored, clock } = this.#options
    const { signal } = this.#closing
    const recent = this.#recent as RecentEvents
    const client = connect()
    const live = new LiveEvents(client, recent.reached, stored)
    const wake = () => live.wake()
    signal.addEventListener('abort', wake)
    const ended = new AbortController()
    let failure: unknown = null
    const reached = () => recent.reached
    const take = ({ events, position, isFull }: StoredPage) =>
      keep(recent, events, isFull ? position : (events.at(-1)?.position ?? recent.reached))
    readLateEvents({ reader, clock, reached, take, onAnswer: onProgress }, ended.signal).catch((error) => {
      failure = error
      live.wake()
    })
    try {
      const rate = new EventRate(0, clock.monotonicMs())
      let received = 0
      let gatherMs: number = LIVE_TAIL_GATHER_MS.quiet
      while (!signal.aborted) {
        if (failure === null) await live.more()
        if (failure !== null) throw failure
        await clock.delay(gatherMs, signal)
        if (signal.aborted) return
        const { events, position, isFull } = live.take()
        onProgress()
        keep(recent, events, position)
        received += events.length
        gatherMs = isFull ? 0 : gatherMsAt(rate.perSecond(received, clock.monotonicMs()))
      }
    } finally {
      signal.removeEventListener('abort', wake)
      ended.abort()
      live.close()
      client.retire()
    }
  }
}

/** Events may arrive twice, by the subscription and on a page. */
function keep(recent: RecentEvents, arrived: readonly StoredEvent[], position: Position): void {
  if (position <= recent.reached) return
  const fresh = arrived.filter((event) => event.position > recent.reached)
  const bytes = fresh.reduce((sum, event) => sum + event.bytes, 0)
  recent.add(
    fresh.flatMap(({ recorded }) => (recorded ? [recorded] : [])),
    position,
    bytes,
  )
  recent.wake()
}

/**
 * Events arrive one by one even under load, and each delivery wakes all followers. The wait grows with the rate,
 * because a threshold would make it flip back and forth.
 */
export function gatherMsAt(eventsPerSecond: number): number {
  const { quiet, busy, heavy } = LIVE_TAIL_GATHER_MS
  if (eventsPerSecond < BUSY_EVENTS_PER_SECOND) return quiet
  const share = (eventsPerSecond - BUSY_EVENTS_PER_SECOND) / (HEAVY_EVENTS_PER_SECOND - BUSY_EVENTS_PER_SECOND)
  return Math.min(heavy, Math.round(busy + share * (heavy - busy)))
}
