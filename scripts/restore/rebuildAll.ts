import { BEGINNING } from '../../contracts/position.ts'
import type { Engines } from '../../platform/engines.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import type { Projection } from '../../projections/projection.ts'
import { catchUpTogether } from '../../projections/runner/catchUp.ts'
import { lockModel, lowestPositions, writeCheckpoint } from '../../projections/runner/checkpoints.ts'
import { createIndexes, dropIndexes, readSecondaryIndexes } from '../../projections/runner/secondaryIndexes.ts'
import { refreshStatistics } from '../../projections/runner/statistics.ts'
import { createTables, LIVE_SCHEMA, tablesOf } from '../../projections/runner/tables.ts'
import { progressBar } from '../cli/progressBar.ts'
import { rebuildWithBar } from '../cli/rebuildWithBar.ts'

/**
 * Builds every read model from the beginning, because the old rows came from another store. No service runs meanwhile,
 * and none starts until the restore is finished, so the tables are emptied first and then filled together, reading each
 * event once instead of once per model.
 */
export async function rebuildAll(engines: Engines, signal: AbortSignal): Promise<void> {
  const { database, store, feed } = engines
  const total = await store.eventsAfter(BEGINNING)
  await emptyAll(engines)
  // Nothing reads the tables yet, so their indexes are created after they are filled. A repeated restore starts over.
  const indexes = await readSecondaryIndexes(database, PROJECTIONS)
  await dropIndexes(database, indexes)
  const bar = progressBar('read models', total)
  let events = 0
  await catchUpTogether({
    ...{ projections: PROJECTIONS, database, source: store, feed, signal, eventsMin: 1 },
    onStored: (stored) => {
      events += stored
      bar.update(events)
    },
  }).finally(() => bar.end())
  await createIndexes(database, indexes)
  // Those of a feed with several partitions, and models that failed, whose rebuild says why.
  const head = await store.head()
  const reached = await lowestPositions(database, PROJECTIONS)
  for (const projection of PROJECTIONS) {
    signal.throwIfAborted()
    if ((reached.get(projection.name) ?? BEGINNING) < head) await rebuildWithBar(engines, projection, total)
  }
  await refreshStatistics(database, PROJECTIONS)
}

/** Leaves every read model empty and at the beginning of the store, so that the next start builds it. */
export async function emptyAll(engines: Engines): Promise<void> {
  for (const projection of PROJECTIONS) await createAgain(engines, projection)
}

async function createAgain({ database, feed }: Engines, projection: Projection): Promise<void> {
  await database.transaction(async (sql) => {
    await lockModel(sql, projection)
    for (const table of tablesOf(projection)) await sql.query(`drop table if exists ${LIVE_SCHEMA}.${table}`)
    await createTables(sql, projection, LIVE_SCHEMA)
    await writeCheckpoint(sql, projection, feed.partitionsOf(projection.categories))
  })
}
