import type { Position } from '../../../../contracts/position.ts'
import { categoryOf } from '../../../../contracts/streams.ts'
import { BUSY_EVENTS_MIN } from '../../../../projections/runner/batchLimits.ts'
import { type Clock, NOT_NEEDED } from '../../clock/clock.ts'
import type { EventBatch, SubscribeOptions } from '../port.ts'
import { LIVE_TAIL_GATHER_MS, READ_PAGE_EVENTS_MAX, SUBSCRIPTION_POLL_MS } from '../storeLimits.ts'
import { LiveEvents } from './liveEvents.ts'
import type { Reading } from './reading.ts'
import type { StoreClient } from './storeClient.ts'
import type { StoredEvent } from './storedEvent.ts'

export type FollowedStore = {
  connect(): StoreClient
  readonly reading: Reading
  readonly clock: Clock
}

/**
 * Page by page up to one that is not full, then live. Who follows few categories goes live after the first page: a page
 * has everything, and the server knows better how to leave most of it out. Who comes back after an outage goes live at
 * once: the server has much to do then, and a revocation must not wait behind pages. Live, the server tells of what the filter leaves out only now and
 * then, and a connection can fall silent without breaking; so after a silence the next page is asked for again. What then
 * comes a second time is left out by its position. Throws at the first trouble.
 */
export async function* follow(
  store: FollowedStore,
  options: SubscribeOptions,
  { isResumed = false } = {},
): AsyncIterable<EventBatch> {
  const { categories, signal } = options
  const { reading, clock } = store
  let position = options.after
  const nextPage = async () => {
    const { events, isFull } = await reading.after(position, READ_PAGE_EVENTS_MAX, signal)
    return { batch: batchOf(events, position, categories), isFull }
  }

  // Not up to an empty page, which never comes while others write faster than a page is asked for.
  for (let isFull = !isResumed; isFull; ) {
    const page = await nextPage()
    isFull = page.isFull && categories === undefined
    if (page.batch.position <= position) break
    position = page.batch.position
    yield page.batch
    if (signal.aborted) return
  }

  // With a connection of its own: one that is shared is held up as a whole by whoever takes its events slowly.
  const client = store.connect()
  const live = new LiveEvents(client.events, position, categories)
  const wake = () => live.wake()
  signal.addEventListener('abort', wake)
  try {
    let takenAt = clock.now()
    let isBusy = false
    while (!signal.aborted) {
      const heard = await somethingCame(live, clock, isBusy)
      if (signal.aborted) return
      const batch = heard ? liveBatch(live, position, categories) : (await nextPage()).batch
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

/** False after a silence. Under load, more is gathered before it is taken: a reader has costs for every batch. */
async function somethingCame(live: LiveEvents, clock: Clock, isBusy: boolean): Promise<boolean> {
  const { quiet, busy } = LIVE_TAIL_GATHER_MS
  const heard = new AbortController()
  let silent = true
  const came = live.more().then(() => {
    silent = false
    heard.abort(NOT_NEEDED)
  })
  await clock.delay(SUBSCRIPTION_POLL_MS, heard.signal)
  if (silent) {
    live.wake()
    await came
    return false
  }
  await clock.delay(isBusy ? busy : quiet)
  return true
}

/** They come one by one, however many there are: what counts is how many come in the time of one gathering. */
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
