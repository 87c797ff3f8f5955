import { PROJECTIONS } from '../../projections/catalogue.ts'
import { readMovedAt } from '../../projections/runner/checkpoints.ts'
import { type LagSources, readConsumerLags } from './consumerLags.ts'
import { lagSeconds } from './lagSeconds.ts'

/** What operators see of a read model. */
export type ReadModelStatus = {
  readonly name: string
  /** null if it is not built yet. */
  readonly version: number | null
  /** The version of this program. If the tables have another one, they must be rebuilt. */
  readonly currentVersion: number
  /** null if it is not built yet. */
  readonly lagEvents: number | null
  /** The age of the oldest event that it has not applied; null if it is not built yet. */
  readonly lagSeconds: number | null
  /** ISO 8601; when it last moved forward; null if it has not done so since this is recorded. */
  readonly movedAt: string | null
}

export async function readModelStatuses(sources: LagSources, nowMs: number): Promise<ReadModelStatus[]> {
  const lags = await readConsumerLags(sources)
  const ages = await lagSeconds(lags, sources.store, nowMs)
  const seconds = new Map(ages.map(({ consumer, seconds: age }) => [consumer, age]))
  const current = new Map(PROJECTIONS.map(({ name, version }) => [name, version]))
  const movedAt = await readMovedAt(sources.database)
  return lags.projections.map(({ name, version, lagEvents }) => ({
    name,
    version,
    currentVersion: current.get(name) ?? 0,
    lagEvents,
    lagSeconds: seconds.get(`projector-${name}`) ?? null,
    movedAt: movedAt.get(name) ?? null,
  }))
}
