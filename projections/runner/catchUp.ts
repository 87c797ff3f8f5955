import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import { type Category, categoryOf } from '../../contracts/streams.ts'
import type { Projection } from '../projection.ts'
import { PROJECTION_BATCH_EVENTS_MAX } from './batchLimits.ts'
import { lowestPositions } from './checkpoints.ts'
import type { Database, EventSource, Feed } from './ports.ts'
import type { SharedTransactions } from './sharedTransactions.ts'

/** With fewer events to read, each model may as well read its own. */
export const CATCH_UP_EVENTS_MIN = 5_000

export type CatchUpSource = EventSource & { eventsAfter(position: Position): Promise<number> }

export type CatchUpOptions = {
  readonly projections: readonly Projection[]
  readonly database: Database
  readonly source: CatchUpSource
  readonly feed: Pick<Feed, 'partitionsOf'>
  readonly transactions: Pick<SharedTransactions, 'store'>
  readonly signal: AbortSignal
  /** Less in tests. */
  readonly eventsMin?: number
  readonly pageEventsMax?: number
  /** Called after each transaction of a model, with the number of events in it. */
  readonly onAdvanced?: (projection: string, events: number) => void
  /** Called after each page, with the number of its events. */
  readonly onPage?: (events: number) => void
  /** Called when a model could not be moved. Its runner tries again. */
  readonly onTrouble?: (projection: string, error: unknown) => void
}

/** The models that still take part, with the position that each has reached. */
type Reached = Map<Projection, Position>

type Page = {
  readonly after: Position
  readonly events: readonly RecordedEvent[]
  readonly byCategory: ReadonlyMap<string, readonly RecordedEvent[]>
  readonly position: Position
}

type Outcome = { readonly projection: Projection; readonly moved: boolean; readonly error?: unknown }

/**
 * Brings models that are far behind close to the head of the store, reading each page of events once for all of them: on
 * its own, each of a dozen models reads and parses the whole ledger. Every step is one of a runner, with rows and
 * checkpoint in one transaction, so it can end or be killed anywhere, and other runners may work beside it.
 * Does nothing for a feed of several partitions, whose reader is shared already.
 */
export async function catchUpTogether(options: CatchUpOptions): Promise<void> {
  const { projections, source, feed, signal, eventsMin = CATCH_UP_EVENTS_MIN } = options
  const categories = [...new Set(projections.flatMap((projection): readonly Category[] => projection.categories))]
  const [partition, ...others] = feed.partitionsOf(categories)
  if (partition === undefined || others.length > 0) return
  const reached = await positionsOf(options)
  while (!signal.aborted && reached.size > 0) {
    const from = lowest(reached)
    if ((await source.eventsAfter(from)) < eventsMin) return
    await pass(options, partition, reached, from)
    // The number of events is an estimate, and the store may have no more than were read.
    if (reached.size > 0 && lowest(reached) === from) return
  }
}

async function positionsOf({ projections, database }: CatchUpOptions): Promise<Reached> {
  const stored = await lowestPositions(database, projections)
  return new Map(
    projections.flatMap((projection): [Projection, Position][] => {
      const position = stored.get(projection.name)
      return position === undefined ? [] : [[projection, position]]
    }),
  )
}

/** Reads up to the head at the start of the pass. The next page is read while one is stored. */
async function pass(options: CatchUpOptions, partition: string, reached: Reached, from: Position): Promise<void> {
  const { source, signal, pageEventsMax = PROJECTION_BATCH_EVENTS_MAX } = options
  const head = await source.head()
  const read = (after: Position): Promise<Page> => {
    const page = pageAfter(source, after, pageEventsMax)
    // A failure is reported where the page is awaited, which a failure to store the page before may prevent.
    page.catch(() => {})
    return page
  }
  let next = read(from)
  for (let position = from; position < head && reached.size > 0; ) {
    const page = await next
    if (page.position === position || signal.aborted) return
    position = page.position
    if (position < head) next = read(position)
    await store(options, partition, reached, page)
    options.onPage?.(page.events.length)
  }
}

async function pageAfter(source: EventSource, after: Position, limit: number): Promise<Page> {
  const { events, position } = await source.readAll({ after, limit })
  const byCategory = Map.groupBy(events, ({ stream }): string => categoryOf(stream))
  return { after, events, byCategory, position }
}

/** A model that fails alone, or that another runner or a rebuild has moved, is left to its runner. */
async function store(options: CatchUpOptions, partition: string, reached: Reached, page: Page): Promise<void> {
  const moves = [...reached].filter(([, at]) => at < page.position)
  const outcomes = await Promise.all(moves.map(([projection, at]) => move(options, partition, projection, at, page)))
  const failed = outcomes.filter(({ error }) => error !== undefined)
  if (failed.length > 0 && failed.length === outcomes.length) throw failed[0]?.error
  for (const { projection, moved, error } of outcomes) {
    if (moved) reached.set(projection, page.position)
    else reached.delete(projection)
    if (error !== undefined) options.onTrouble?.(projection.name, error)
  }
}

async function move(
  { transactions, onAdvanced }: CatchUpOptions,
  partition: string,
  projection: Projection,
  at: Position,
  page: Page,
): Promise<Outcome> {
  const concerned = eventsFor(projection, page)
  const events = at === page.after ? concerned : concerned.filter(({ position }) => position > at)
  try {
    const moved = await transactions.store({ projection, partition, from: at, to: page.position, events })
    if (moved) onAdvanced?.(projection.name, events.length)
    return { projection, moved }
  } catch (error) {
    return { projection, moved: false, error }
  }
}

function eventsFor({ categories, skips }: Projection, { events, byCategory }: Page): readonly RecordedEvent[] {
  const [category, ...others] = categories as readonly string[]
  if (category !== undefined && others.length === 0 && !skips) return byCategory.get(category) ?? []
  const wanted = new Set<string>(categories)
  return events.filter(({ stream, type }) => wanted.has(categoryOf(stream)) && !skips?.has(type))
}

function lowest(reached: Reached): Position {
  return [...reached.values()].reduce((low, position) => (position < low ? position : low))
}
