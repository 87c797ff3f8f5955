import { BEGINNING } from '../../contracts/position.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { rebuildProjection } from '../../projections/runner/rebuild.ts'
import type { Engines } from '../../services/platform/engines.ts'
import { progressBar } from '../cli/progress.ts'

/** What was in the read models before is about another store: each is built from the restored one. */
export async function rebuildAll({ database, store, feed }: Engines, signal: AbortSignal): Promise<void> {
  const total = await store.eventsAfter(BEGINNING)
  for (const projection of PROJECTIONS) {
    signal.throwIfAborted()
    const bar = progressBar(projection.name, total)
    await rebuildProjection({
      projection,
      database,
      source: store,
      partitions: feed.partitionsOf(projection.categories),
      idsAreUnique: store.idsAreUnique,
      onProgress: (_position, read) => bar.update(read),
    }).finally(() => bar.end())
  }
}
