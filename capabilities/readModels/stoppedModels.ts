import type { Position } from '../../contracts/position.ts'
import { CATEGORIES, type Category } from '../../contracts/streams.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import type { Projection } from '../../projections/projection.ts'
import { CATCH_UP_EVENTS_MIN } from '../../projections/runner/catchUp.ts'
import { readMovedAt } from '../../projections/runner/checkpoints.ts'
import { type ConsumerLags, type LagSources, type ProjectionLag, reached } from './consumerLags.ts'

/** A read model with an unapplied event that does not move for this long has stopped. */
export const STOPPED_AFTER_MS = 60_000

/**
 * Models that are far behind catch up in groups, one group after the other, so the one that moved last counts for all of
 * them. If none has moved for this long, none is catching up.
 */
export const CATCH_UP_STOPPED_AFTER_MS = 5 * 60_000

/** A model that lacks more events than a few of these pages is far behind. */
const PAGE_EVENTS = 500

export type StoppedModels = {
  /** Those with another version than this program's. */
  readonly needRebuild: readonly string[]
  /** Those with this version whose events no runner applies. Those that are catching up are not included. */
  readonly stopped: readonly string[]
}

/** The read models whose rows do not change although there are events for them. */
export async function stoppedModels(
  lags: ConsumerLags,
  { database, store }: Pick<LagSources, 'database' | 'store'>,
  nowMs: number,
): Promise<StoppedModels> {
  const byName = new Map(PROJECTIONS.map((projection) => [projection.name, projection]))
  const needRebuild = lags.projections.filter(
    ({ name, version }) => version !== null && version !== byName.get(name)?.version,
  )
  const behind = lags.projections.filter((lag) => (lag.lagEvents ?? 0) > 0 && !needRebuild.includes(lag))
  const movedAt = behind.length > 0 ? await readMovedAt(database) : new Map<string, string>()
  const isOld = (at: string, ms = STOPPED_AFTER_MS) => nowMs - Date.parse(at) >= ms
  const far = behind.filter(({ lagEvents }) => (lagEvents ?? 0) >= CATCH_UP_EVENTS_MIN)
  const farMovedAt = far
    .flatMap(({ name }) => movedAt.get(name) ?? [])
    .toSorted()
    .at(-1)
  const isCatchingUp = farMovedAt === undefined || !isOld(farMovedAt, CATCH_UP_STOPPED_AFTER_MS)
  const stopped: string[] = []
  for (const lag of behind) {
    const isFar = far.includes(lag)
    const moved = movedAt.get(lag.name)
    if (isFar ? isCatchingUp : moved !== undefined && !isOld(moved)) continue
    // The next event of a model that is far behind may be thousands of pages away. A runner also moves past those of others.
    const categories = isFar ? CATEGORIES : (byName.get(lag.name) as Projection).categories
    const next = await nextEventAt(store, categories, lowest(lag, lags))
    if (next !== null && isOld(next)) stopped.push(lag.name)
  }
  return { needRebuild: needRebuild.map(({ name }) => name), stopped }
}

function lowest({ partitions }: ProjectionLag, { relay }: ConsumerLags): Position {
  return partitions
    .map(({ partition, position }) => reached(partition, position, relay))
    .reduce((low, position) => (position < low ? position : low))
}

/** When the first event of these categories after the position was stored. */
async function nextEventAt(
  store: LagSources['store'],
  categories: readonly Category[],
  after: Position,
): Promise<string | null> {
  for (let position = after; ; ) {
    const page = await store.readAll({ after: position, categories, limit: PAGE_EVENTS })
    const [event] = page.events
    if (event) return event.recordedAt
    if (page.position === position) return null
    position = page.position
  }
}
