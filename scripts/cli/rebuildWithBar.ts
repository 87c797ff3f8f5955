import { systemClock } from '../../platform/clock/clock.ts'
import type { Engines } from '../../platform/engines.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import type { Projection } from '../../projections/projection.ts'
import { type RebuildResult, rebuildProjection } from '../../projections/runner/rebuild.ts'
import { progressBar } from './progressBar.ts'

/** Rebuilds a read model from the store, with a progress bar of `total` events. */
export async function rebuildWithBar(
  { database, store, feed }: Engines,
  projection: Projection,
  total: number,
): Promise<RebuildResult> {
  const bar = progressBar(projection.name, total)
  return rebuildProjection({
    clock: systemClock,
    ids: systemIds,
    projection,
    database,
    source: store,
    partitions: feed.partitionsOf(projection.categories),
    idsAreUnique: store.idsAreUnique,
    onProgress: (_position, read) => bar.update(read),
  }).finally(() => bar.end())
}
