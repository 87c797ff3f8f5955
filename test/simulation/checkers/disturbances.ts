import type { FaultKind } from '../faults/faultPlan.ts'
import type { Simulation } from '../simulation.ts'

/** How long after a fault something may be slower than the documents promise for an event store that keeps up. */
const LASTS_MS: Partial<Record<FaultKind, number>> = {
  'database connection dies before the statement': 10_000,
  'database connection dies after the statement': 10_000,
  'database message is late': 10_000,
  'database is silent': 60_000,
  'process is killed': 20_000,
  'process is paused': 20_000,
  'process is paused at a statement': 20_000,
  'process is cut off from the database': 60_000,
  'process is killed while it is cut off': 60_000,
  'read of events fails': 10_000,
}

/** Tells whether a fault may have delayed something between two moments, in a world with a database. */
export function disturbances({ faults, scheduler }: Simulation): (fromMs: number, toMs: number) => boolean {
  const kinds = Object.entries(LASTS_MS) as [FaultKind, number][]
  return (fromMs, toMs) => {
    const startMs = scheduler.nowMs - scheduler.elapsedMs
    return kinds.some(([kind, lastsMs]) => faults.happenedBetween(fromMs - startMs - lastsMs, toMs - startMs, kind))
  }
}
