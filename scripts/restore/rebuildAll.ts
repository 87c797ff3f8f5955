import { BEGINNING } from '../../contracts/position.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import type { Engines } from '../../services/platform/engines.ts'
import { rebuildWithBar } from '../cli/rebuildWithBar.ts'

/** What was in the read models before is about another store: each is built from the restored one. */
export async function rebuildAll(engines: Engines, signal: AbortSignal): Promise<void> {
  const total = await engines.store.eventsAfter(BEGINNING)
  for (const projection of PROJECTIONS) {
    signal.throwIfAborted()
    await rebuildWithBar(engines, projection, total)
  }
}
