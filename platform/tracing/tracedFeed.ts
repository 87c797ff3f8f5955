import { type Category, categoryOf } from '../../contracts/streams.ts'
import type { Feed, FeedSubscription } from '../../projections/runner/ports.ts'
import type { Clock } from '../clock/clock.ts'
import { eventAttributes, type TracedEvent, traceOfEvent } from './eventTrace.ts'
import type { Tracing } from './port.ts'

/** Events that already have a span, so that the process's other subscribers make none. */
const EVENTS_REMEMBERED_MAX = 10_000

/** A feed that adds to an event's trace when the event reached this process: once, however many subscribe to it. */
export function tracedFeed(feed: Feed, tracing: Tracing, clock: Clock): Feed {
  const seen = new Set<string>()
  const arrived = (event: TracedEvent) => {
    const parent = traceOfEvent(event, clock.now())
    if (parent === undefined || seen.has(event.id)) return
    seen.add(event.id)
    if (seen.size > EVENTS_REMEMBERED_MAX) for (const oldest of seen) if (seen.delete(oldest)) break
    const beganAtMs = Date.parse(event.recordedAt)
    const attributes = eventAttributes(event)
    tracing.begin(`feed ${categoryOf(event.stream)}`, { kind: 'consumer', parent, attributes, beganAtMs }).end()
  }
  return {
    partitionsOf: (categories) => feed.partitionsOf(categories),
    partitionOf: (stream) => feed.partitionOf(stream),
    idsAreUnique: feed.idsAreUnique,
    subscribe: async function* <C extends Category>(subscription: FeedSubscription<C>) {
      for await (const batch of feed.subscribe(subscription)) {
        for (const event of batch.events) arrived(event)
        yield batch
      }
    },
  }
}
