import type { Category } from '../../../contracts/streams.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { TypedEventStore } from '../../../platform/eventStore/port.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import type { Projection } from '../../../projections/projection.ts'
import { CATCH_UP_EVENTS_MIN } from '../../../projections/runner/catchUp.ts'
import { lowestPositions } from '../../../projections/runner/checkpoints.ts'
import type { Database, Feed } from '../../../projections/runner/ports.ts'

/** What the views are loaded from, and what they follow. */
export type ViewSources = {
  readonly database: Database
  readonly store: TypedEventStore
  readonly feed: Feed
  readonly clock: Clock
  readonly log: Log
}

const POLL_MS = 200
/** A projector that has advanced no model for this long is not running or is stuck. */
const STALLED_MS = 5_000

type Seed = Pick<Projection, 'name' | 'version'> & { readonly categories: readonly Category[] }

/**
 * Waits while the read models that the views are loaded from catch up. Otherwise the gateway would read and fold the same
 * events as the projector at the same time, and again after a crash. Whatever is missing then, the gateway reads itself: it
 * serves no request before its views have reached the head of the store. A model of another version is not waited for, nor a
 * feed of several partitions, where the lowest position says nothing about the lag.
 */
export async function untilSeedsAreNear(
  { database, store, feed, clock, log }: ViewSources,
  seeds: readonly Seed[],
): Promise<void> {
  if (feed.partitionsOf(seeds.flatMap(({ categories }) => categories)).length > 1) return
  let seen = ''
  let movedAtMs = clock.monotonicMs()
  for (;;) {
    const positions = [...(await lowestPositions(database, seeds)).values()].toSorted()
    const [lowest] = positions
    if (lowest === undefined || (await store.eventsAfter(lowest)) < CATCH_UP_EVENTS_MIN) return
    const found = positions.join(' ')
    if (found !== seen) {
      seen = found
      movedAtMs = clock.monotonicMs()
    }
    if (clock.monotonicMs() - movedAtMs >= STALLED_MS) {
      log.warn('read models do not move: the gateway reads the events that they lack')
      return
    }
    await clock.delay(POLL_MS)
  }
}
