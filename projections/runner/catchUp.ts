import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import { type Category, categoryOf } from '../../contracts/streams.ts'
import type { Projection } from '../projection.ts'
import { BulkModel } from './bulkModel.ts'
import { storeSteps } from './bulkSteps.ts'
import { markedPositions } from './checkpoints.ts'
import type { Database, EventSource, Feed } from './ports.ts'

/** With fewer events to read, each model can just as well read its own. */
export const CATCH_UP_EVENTS_MIN = 5_000
/** Small pages become garbage before V8 copies them: larger ones double the work of its collector. */
const PAGE_EVENTS_MAX = 500
/** Rows are written once per this many events. With more, the collector has to copy more waiting rows. */
export const STEP_EVENTS_MIN = 4_000

export type CatchUpSource = EventSource & { eventsAfter(position: Position): Promise<number> }

export type CatchUpOptions = {
  readonly projections: readonly Projection[]
  readonly database: Database
  readonly source: CatchUpSource
  readonly feed: Pick<Feed, 'partitionsOf' | 'idsAreUnique'>
  readonly signal: AbortSignal
  /** Less in tests. */
  readonly eventsMin?: number
  readonly pageEventsMax?: number
  readonly stepEventsMin?: number
  /** Called after each transaction of a model, with the number of events in it. */
  readonly onAdvanced?: (projection: string, events: number) => void
  /** Called when the models have moved, with the number of events read. */
  readonly onStored?: (events: number) => void
  /** Called when a model could not be moved. Its runner tries again. */
  readonly onTrouble?: (projection: string, error: unknown) => void
}

type Page = {
  readonly after: Position
  readonly events: readonly RecordedEvent[]
  readonly byCategory: ReadonlyMap<string, readonly RecordedEvent[]>
  readonly position: Position
}

/**
 * Brings models that are far behind close to the head of the store, reading each page of events once for all of them:
 * otherwise each of a dozen models would read and parse the whole ledger. Rows are batched over several pages and
 * stored with the checkpoint in one transaction, so it can end or be killed anywhere, and other runners may work in
 * parallel. Does nothing for a feed of several partitions, whose reader is already shared.
 */
export async function catchUpTogether(options: CatchUpOptions): Promise<void> {
  const { projections, feed } = options
  const categories = [...new Set(projections.flatMap((projection): readonly Category[] => projection.categories))]
  const [partition, ...others] = feed.partitionsOf(categories)
  if (partition === undefined || others.length > 0) return
  await new CatchUp(options, await modelsOf(options, partition)).run()
}

async function modelsOf({ projections, database, feed }: CatchUpOptions, partition: string): Promise<BulkModel[]> {
  const stored = await markedPositions(database, projections, partition)
  return projections.flatMap((projection) => {
    const reached = stored.get(projection.name)
    return reached
      ? [new BulkModel({ sql: database, projection, partition, idsAreUnique: feed.idsAreUnique }, reached)]
      : []
  })
}

class CatchUp {
  readonly #options: CatchUpOptions
  /** The models that still take part. */
  readonly #models: Set<BulkModel>
  /** Read since the last step. */
  #events = 0
  #storing: Promise<void> = Promise.resolve()

  constructor(options: CatchUpOptions, models: Iterable<BulkModel>) {
    this.#options = options
    this.#models = new Set(models)
  }

  async run(): Promise<void> {
    const { source, signal, eventsMin = CATCH_UP_EVENTS_MIN } = this.#options
    while (!signal.aborted && this.#models.size > 0) {
      const from = this.#lowest()
      if ((await source.eventsAfter(from)) < eventsMin) return
      try {
        await this.#pass(from)
        if (this.#events > 0 && !signal.aborted) await this.#store()
      } finally {
        await this.#storing
      }
      // The number of events is an estimate, and the store may have no more than were read.
      if (this.#models.size > 0 && this.#lowest() === from) return
    }
  }

  /** Reads up to the head at the start of the pass. The next page is read while one is folded and others are stored. */
  async #pass(from: Position): Promise<void> {
    const { source, signal, pageEventsMax = PAGE_EVENTS_MAX, stepEventsMin = STEP_EVENTS_MIN } = this.#options
    const head = await source.head()
    const read = (after: Position): Promise<Page> => {
      const page = pageAfter(source, after, pageEventsMax)
      // A failure is reported where the page is awaited, unless storing the previous page fails first.
      page.catch(() => {})
      return page
    }
    let next = read(from)
    for (let position = from; position < head && this.#models.size > 0; ) {
      const page = await next
      if (page.position === position || signal.aborted) return
      position = page.position
      if (position < head) next = read(position)
      await this.#fold(page)
      if (this.#events >= stepEventsMin) await this.#store()
    }
  }

  async #fold(page: Page): Promise<void> {
    const models = [...this.#models].filter(({ position }) => position < page.position)
    await this.#attempt(models.map((model) => ({ model, done: model.fold(eventsFor(model, page), page.position) })))
    this.#events += page.events.length
  }

  /** Returns when the previous steps are stored, so that the rows of at most two steps are in memory. */
  async #store(): Promise<void> {
    await this.#storing
    this.#storing = this.#storeSteps(this.#events)
    this.#events = 0
    // A failure is reported where it is awaited.
    this.#storing.catch(() => {})
  }

  async #storeSteps(events: number): Promise<void> {
    const { database, onAdvanced, onStored } = this.#options
    const models = new Map([...this.#models].map((model) => [model.takeStep(), model]))
    const outcomes = await storeSteps(database, [...models.keys()])
    await this.#attempt(
      outcomes.map(({ step, mark, error }) => {
        const model = models.get(step) as BulkModel
        if (error !== undefined) return { model, done: Promise.reject(error) }
        // Another runner or a rebuild has written the checkpoint, and continues the model.
        if (mark === null) this.#models.delete(model)
        else {
          model.stored(mark)
          onAdvanced?.(step.projection.name, step.events)
        }
        return { model, done: Promise.resolve() }
      }),
    )
    onStored?.(events)
  }

  /** A model that fails is left to its runner. Throws if none are left. */
  async #attempt(work: readonly { readonly model: BulkModel; readonly done: Promise<void> }[]): Promise<void> {
    const results = await Promise.allSettled(work.map(({ done }) => done))
    const failures = results.flatMap((result, n) => {
      const model = work[n]?.model
      return result.status === 'rejected' && model ? [{ model, error: result.reason as unknown }] : []
    })
    for (const { model } of failures) this.#models.delete(model)
    if (failures.length > 0 && this.#models.size === 0) throw failures[0]?.error
    for (const { model, error } of failures) this.#options.onTrouble?.(model.projection.name, error)
  }

  #lowest(): Position {
    const positions = [...this.#models].map(({ position }) => position)
    return positions.reduce((low, position) => (position < low ? position : low))
  }
}

async function pageAfter(source: EventSource, after: Position, limit: number): Promise<Page> {
  const { events, position } = await source.readAll({ after, limit })
  const byCategory = Map.groupBy(events, ({ stream }): string => categoryOf(stream))
  return { after, events, byCategory, position }
}

function eventsFor({ projection, position: at }: BulkModel, page: Page): readonly RecordedEvent[] {
  const concerned = eventsOf(projection, page)
  return at === page.after ? concerned : concerned.filter(({ position }) => position > at)
}

function eventsOf({ categories, skips }: Projection, { events, byCategory }: Page): readonly RecordedEvent[] {
  const [category, ...others] = categories as readonly string[]
  if (category !== undefined && others.length === 0 && !skips) return byCategory.get(category) ?? []
  const wanted = new Set<string>(categories)
  return events.filter(({ stream, type }) => wanted.has(categoryOf(stream)) && !skips?.has(type))
}
