import { BEGINNING, type Position } from '../../../../contracts/position.ts'
import type { Clock } from '../../../clock/clock.ts'
import { READ_PAGE_EVENTS_MAX, SUBSCRIPTION_POLL_MS } from '../../storeLimits.ts'
import { later } from '../commitPosition.ts'
import type { StoredPage } from './storedEvent.ts'
import type { StoreReader } from './storeReader.ts'

/** How long a subscription may take to deliver an event that is already readable. */
export const LATE_MS = 300

export type WatchedSubscription = {
  readonly reader: Pick<StoreReader, 'logEnd' | 'upTo'>
  readonly clock: Clock
  /** Everything up to this position is known, whether it was delivered or read. */
  reached(): Position
  /** The events that the subscription has not delivered. It may do so later. */
  take(page: StoredPage): void
  /** The server has answered a read. */
  onAnswer(): void
}

/**
 * Reads what a subscription does not deliver in time, until the signal aborts. A busy server stores events and shows
 * them to readers seconds before it sends them to its subscriptions, which meanwhile deliver older ones; and a
 * connection can fall silent without breaking. A revocation must not wait for either. While the log has nothing new,
 * its end is read once a second. Throws if a read fails and the subscription has delivered nothing either.
 */
export async function readLateEvents(
  { reader, clock, reached, take, onAnswer }: WatchedSubscription,
  signal: AbortSignal,
): Promise<void> {
  /** The end of the log at the last check: none of our events up to it is missing. */
  let checked = BEGINNING
  const check = async () => {
    const end = await reader.logEnd()
    onAnswer()
    if (end <= checked) return false
    await clock.delay(LATE_MS, signal)
    while (!signal.aborted && later(reached(), checked) < end) {
      const after = later(reached(), checked)
      const page = await reader.upTo(end, after, { limit: READ_PAGE_EVENTS_MAX, signal })
      if (signal.aborted) return false
      take(page)
      checked = page.position
    }
    checked = end
    return true
  }
  await clock.delay(LATE_MS, signal)
  while (!signal.aborted) {
    const before = reached()
    let isBusy = false
    try {
      isBusy = await check()
    } catch (error) {
      if (signal.aborted) return
      if (reached() === before) throw error
    }
    if (!isBusy) await clock.delay(SUBSCRIPTION_POLL_MS, signal)
  }
}
