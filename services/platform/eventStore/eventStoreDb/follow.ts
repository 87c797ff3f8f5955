import type { Position } from '../../../../contracts/position.ts'
import { categoryOf } from '../../../../contracts/streams.ts'
import { BUSY_EVENTS_MIN } from '../../../../projections/runner/batchLimits.ts'
import type { Clock } from '../../clock/clock.ts'
import { settlesWithin } from '../../clock/within.ts'
import type { EventBatch, SubscribeOptions } from '../port.ts'
import { LIVE_TAIL_GATHER_MS, READ_PAGE_EVENTS_MAX, SUBSCRIPTION_POLL_MS } from '../storeLimits.ts'
import { LiveEvents } from './liveEvents.ts'
import type { StoreClient } from './storeClient.ts'
import type { StoredEvent } from './storedEvent.ts'
import type { StoreReader } from './storeReader.ts'

export type FollowedStore = {
  connect(): StoreClient
  readonly reader: StoreReader
  readonly clock: Clock
}

/**
 * Reads page by page until a page is not full, then subscribes. With a filter on categories it subscribes after the
 * first page, because pages are not filtered and the server filters a subscription. After an outage it subscribes at
 * once, because the server is busy then and a revocation must not wait behind pages. During a subscription the server
 * reports its progress through filtered events only now and then, and a connection can fall silent without breaking: so
 * after a silence it reads a page. Events that arrive twice are dropped by their position. Throws at the first error.
 */
export async function* follow(
  store: FollowedStore,
  options: SubscribeOptions,
  { isResumed = false } = {},
): AsyncIterable<EventBatch> {
  const { categories, signal } = options
  const { reader, clock } = store
  let position = options.after
  const nextPage = async () => {
    const { events, isFull } = await reader.after(position, READ_PAGE_EVENTS_MAX, signal)
    return { batch: batchOf(events, position, categories), isFull }
  }

  // Not until an empty page, which never comes while others write faster than pages are read.
  for (let isFull = !isResumed; isFull; ) {
    const page = await nextPage()
    isFull = page.isFull && categories === undefined
    if (page.batch.position <= position) break
    position = page.batch.position
    yield page.batch
    if (signal.aborted) return
  }

  // On its own connection: a slow reader would block every other stream of a shared one.
  const client = store.connect()
  const live = new LiveEvents(client.events, position, categories)
  const wake = () => live.wake()
  signal.addEventListener('abort', wake)
  try {
    let takenAt = clock.now()
    let isBusy = false
    while (!signal.aborted) {
      const arrived = await eventsArrived(live, clock, isBusy)
      if (signal.aborted) return
      const batch = arrived ? liveBatch(live, position, categories) : (await nextPage()).batch
      isBusy = batch.events.length >= eventsMeaningLoad(clock.now() - takenAt)
      takenAt = clock.now()
      if (batch.position <= position) continue
      position = batch.position
      yield batch
    }
  } finally {
    signal.removeEventListener('abort', wake)
    live.close()
    client.retire()
  }
}

/** False after a silence. Under load it waits for more events, because every batch has a cost for the reader. */
async function eventsArrived(live: LiveEvents, clock: Clock, isBusy: boolean): Promise<boolean> {
  const { quiet, busy } = LIVE_TAIL_GATHER_MS
  const more = live.more()
  if (!(await settlesWithin(more, SUBSCRIPTION_POLL_MS, clock))) {
    live.wake()
    await more
    return false
  }
  await clock.delay(isBusy ? busy : quiet)
  return true
}

/** Events arrive one by one even under load, so what counts is how many arrive in one gathering interval. */
function eventsMeaningLoad(elapsedMs: number): number {
  return BUSY_EVENTS_MIN * Math.min(1, Math.max(1, elapsedMs) / LIVE_TAIL_GATHER_MS.busy)
}

function liveBatch(live: LiveEvents, after: Position, categories: readonly string[] | undefined): EventBatch {
  const { events, position } = live.take()
  const fresh = events.filter((event) => event.position > after)
  return { ...batchOf(fresh, after, categories), position: position > after ? position : after }
}

export function batchOf(
  events: readonly StoredEvent[],
  after: Position,
  categories: readonly string[] | undefined,
): EventBatch {
  return {
    events: events.flatMap(({ recorded }) =>
      recorded && (!categories || categories.includes(categoryOf(recorded.stream))) ? [recorded] : [],
    ),
    position: events.at(-1)?.position ?? after,
  }
}
