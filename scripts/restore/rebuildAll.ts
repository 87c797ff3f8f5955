import { BEGINNING } from '../../contracts/position.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import type { Engines } from '../../services/platform/engines.ts'
import { rebuildWithBar } from '../cli/rebuildWithBar.ts'

/** Rebuilds every read model, because the old rows came from another store. */
export async function rebuildAll(engines: Engines, signal: AbortSignal): Promise<void> {
  const total = await engines.store.eventsAfter(BEGINNING)
  for (const projection of PROJECTIONS) {
    signal.throwIfAborted()
    await rebuildWithBar(engines, projection, total)
  }
}
