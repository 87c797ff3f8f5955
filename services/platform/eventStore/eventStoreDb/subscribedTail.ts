import type { Position } from '../../../../contracts/position.ts'
import type { Clock } from '../../clock/clock.ts'
import { settlesWithin } from '../../clock/within.ts'
import type { Log } from '../../log/log.ts'
import { BUSY_EVENTS_PER_SECOND, EventRate, HEAVY_EVENTS_PER_SECOND } from '../eventRate.ts'
import type { Tail } from '../followTail.ts'
import { OutageLog } from '../outageLog.ts'
import type { EventBatch } from '../port.ts'
import { RecentEvents } from '../recentEvents.ts'
import { LIVE_TAIL_GATHER_MS, READ_PAGE_EVENTS_MAX, SUBSCRIPTION_POLL_MS } from '../storeLimits.ts'
import { LiveEvents } from './liveEvents.ts'
import type { StoreClient } from './storeClient.ts'
import type { StoredEvent, StoredEvents, StoredPage } from './storedEvent.ts'
import type { StoreReader } from './storeReader.ts'

export const RESUBSCRIBE_MS = 200

export type SubscribedTailOptions = {
  connect(): StoreClient
  readonly reader: Pick<StoreReader, 'after' | 'logEnd'>
  readonly stored: StoredEvents
  readonly clock: Clock
  readonly log: Log
}

/**
 * The newest events, received once for all subscribers of this thread, over one subscription with a connection of its
 * own: a call that is not read would block the others of a shared one. It is always read, whatever its subscribers do. A
 * connection can fall silent without breaking, so after a silence the tail reads a page, and still takes what arrives.
 * After an outage it subscribes at once where it was, because the server is busy then and a revocation must not wait
 * behind pages.
 */
export class SubscribedTail implements Tail {
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
      this.#recent = new RecentEvents(position)
      this.#running = this.#run()
    }
    // The page was empty although the tail is further: it came from a node that is behind.
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

  /** The first reader may claim a position beyond the end, which must not become that of all others. */
  async #place(): Promise<void> {
    const end = await this.#options.reader.logEnd()
    const claimed = this.#recent
    if (!claimed || claimed.reached <= end) return
    this.#recent = new RecentEvents(end)
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
    try {
      const rate = new EventRate(0, clock.monotonicMs())
      let received = 0
      let gatherMs: number = LIVE_TAIL_GATHER_MS.quiet
      while (!signal.aborted) {
        const arrived = await hasArrived(live, clock)
        if (arrived) await clock.delay(gatherMs, signal)
        if (signal.aborted) return
        const news = arrived ? live.take() : await pageUnlessArrived(live, reader, recent.reached, signal)
        if (!news) continue
        const { events, position, isFull } = news
        onProgress()
        keep(recent, events, position)
        received += events.length
        gatherMs = isFull ? 0 : gatherMsAt(rate.perSecond(received, clock.monotonicMs()))
      }
    } finally {
      signal.removeEventListener('abort', wake)
      live.close()
      client.retire()
    }
  }
}

/** False after a silence. */
async function hasArrived(live: LiveEvents, clock: Clock): Promise<boolean> {
  const more = live.more()
  if (await settlesWithin(more, SUBSCRIPTION_POLL_MS, clock)) return true
  live.wake()
  await more
  return false
}

/**
 * Null if the subscription brings something, or fails, before the page is read. A server that has just started answers
 * reads late, because all its clients read at once, and what arrives meanwhile must not wait for them.
 */
async function pageUnlessArrived(
  live: LiveEvents,
  reader: SubscribedTailOptions['reader'],
  after: Position,
  signal: AbortSignal,
): Promise<StoredPage | null> {
  const overtaken = new AbortController()
  const page = reader.after(after, { limit: READ_PAGE_EVENTS_MAX, signal: AbortSignal.any([signal, overtaken.signal]) })
  // Once it is overtaken, its failure is of no interest.
  page.catch(() => {})
  const first = await Promise.race([page, live.more().then(() => null)])
  if (!first) overtaken.abort()
  return first
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
 * Events arrive one by one even under load, and each time that they are taken wakes all followers. The time grows with
 * the rate, because a rate near a threshold would change it all the time.
 */
export function gatherMsAt(eventsPerSecond: number): number {
  const { quiet, busy, heavy } = LIVE_TAIL_GATHER_MS
  if (eventsPerSecond < BUSY_EVENTS_PER_SECOND) return quiet
  const share = (eventsPerSecond - BUSY_EVENTS_PER_SECOND) / (HEAVY_EVENTS_PER_SECOND - BUSY_EVENTS_PER_SECOND)
  return Math.min(heavy, Math.round(busy + share * (heavy - busy)))
}
