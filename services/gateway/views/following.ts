import type { Recorded } from '../../../contracts/envelope.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import { BEGINNING, type Checkpoint, type Position } from '../../../contracts/position.ts'
import type { Category } from '../../../contracts/streams.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import type { Feed, FeedSubscription } from '../../../projections/runner/ports.ts'

const RETRY_DELAY_MS = 500

export type View<C extends Category> = { apply(event: Recorded<EventOf<C>>): void }

export type FollowedSource = { readonly feed: Feed; readonly clock: Clock; readonly log: Log }

export type Following<C extends Category> = {
  /** Each with the position that its seed has reached. */
  readonly views: readonly { readonly view: View<C>; readonly start: Checkpoint }[]
  readonly category: C
  readonly head: Position
  readonly signal: AbortSignal
}

/**
 * Applies every batch to the views that have not reached it. Subscribes again from the position reached when the store
 * or the feed fails.
 */
export function follow<C extends Category>(
  { feed, clock, log }: FollowedSource,
  { views, category, head, signal }: Following<C>,
) {
  const { promise: caughtUp, resolve: reachedHead } = Promise.withResolvers<void>()
  let reached = lowestOf(views.map(({ start }) => start))
  if (lowest(reached) >= head) reachedHead()
  const run = async () => {
    while (!signal.aborted) {
      try {
        const subscription: FeedSubscription<C> = {
          consumer: `gateway-${category}`,
          shared: false,
          categories: [category],
          reached: async (partition) => reached[partition] ?? BEGINNING,
          signal,
        }
        for await (const { events, partition, position } of feed.subscribe(subscription)) {
          for (const { view, start } of views) {
            const seeded = start[partition] ?? BEGINNING
            for (const event of events) if (event.position > seeded) view.apply(event)
          }
          reached = { ...reached, [partition]: position }
          if (lowest(reached) >= head) reachedHead()
        }
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error, category }, 'gateway view lost its event source and subscribes again')
      }
      // Also after an end without an error, so that a closed source does not cause a tight loop.
      await clock.delay(RETRY_DELAY_MS, signal)
    }
  }
  return { category, caughtUp, reached: () => reached, ended: run() }
}

/** The read models may have been filled from a feed with other partitions than the one that is followed. */
export function divided(checkpoint: Checkpoint, partitions: readonly string[]): Checkpoint {
  return Object.fromEntries(partitions.map((partition) => [partition, checkpoint[partition] ?? lowest(checkpoint)]))
}

/** The lowest position of each partition. */
function lowestOf(checkpoints: readonly Checkpoint[]): Checkpoint {
  const [first = {}, ...others] = checkpoints
  return Object.fromEntries(
    Object.entries(first).map(([partition, position]) => {
      const positions = others.map((each) => each[partition] ?? BEGINNING)
      return [partition, positions.reduce((low, each) => (each < low ? each : low), position)]
    }),
  )
}

export function lowest(checkpoint: Checkpoint): Position {
  const positions = Object.values(checkpoint)
  return positions.length === 0 ? BEGINNING : positions.reduce((low, position) => (position < low ? position : low))
}
