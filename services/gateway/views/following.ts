import type { Recorded } from '../../../contracts/envelope.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import { BEGINNING, type Checkpoint, type Position } from '../../../contracts/position.ts'
import { type Category, categoryOf } from '../../../contracts/streams.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import type { Feed, FeedSubscription } from '../../../projections/runner/ports.ts'

const RETRY_DELAY_MS = 500

export type View<C extends Category> = { apply(event: Recorded<EventOf<C>>): void }

export type FollowedSource = { readonly feed: Feed; readonly clock: Clock; readonly log: Log }

/** A view of one category, with the position that its seed has reached. */
export type FollowedView<C extends Category> = {
  [Each in C]: { readonly category: Each; readonly view: View<Each>; readonly start: Checkpoint }
}[C]

export type Following<C extends Category> = {
  readonly views: readonly FollowedView<C>[]
  readonly head: Position
  readonly signal: AbortSignal
}

/**
 * Applies every batch to the views that have not reached it, in the order of the store, so that no view has an event
 * while another lacks an earlier one. Subscribes again from the position reached when the store or the feed fails.
 */
export function follow<C extends Category>(
  { feed, clock, log }: FollowedSource,
  { views, head, signal }: Following<C>,
) {
  const categories = [...new Set<C>(views.map(({ category }) => category))]
  const isOne = categories.length === 1
  const { promise: caughtUp, resolve: reachedHead } = Promise.withResolvers<void>()
  let reached = lowestOf(views.map(({ start }) => start))
  if (lowest(reached) >= head) reachedHead()
  const run = async () => {
    while (!signal.aborted) {
      try {
        const subscription: FeedSubscription<C> = {
          consumer: `gateway-${categories.join('-')}`,
          shared: false,
          categories,
          reached: async (partition) => reached[partition] ?? BEGINNING,
          signal,
        }
        for await (const { events, partition, position } of feed.subscribe(subscription)) {
          for (const event of events) {
            for (const { category, view, start } of views) {
              const isIts = isOne || categoryOf(event.stream) === category
              if (isIts && event.position > (start[partition] ?? BEGINNING)) view.apply(event as never)
            }
          }
          reached = { ...reached, [partition]: position }
          if (lowest(reached) >= head) reachedHead()
        }
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error, categories }, 'gateway view lost its event source and subscribes again')
      }
      // Also after an end without an error, so that a closed source does not cause a tight loop.
      await clock.delay(RETRY_DELAY_MS, signal)
    }
  }
  return { categories, caughtUp, reached: () => reached, ended: run() }
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
