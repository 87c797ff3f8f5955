import { PROJECTIONS } from '../../projections/catalogue.ts'
import { readCheckpoints } from '../../projections/runner/checkpoints.ts'
import type { Database } from '../../projections/runner/ports.ts'
import type { Runtime } from '../installation.ts'

const POLL_MS = 500
const REPORT_EVERY_MS = 10_000

/**
 * Waits until the projector has created or rebuilt every read model for this version of the program: until then, their
 * tables lack columns that services read. Models of a newer version are never rebuilt for an older one, so they are not
 * waited for.
 */
export async function untilModelsAreBuilt(
  { engines, clock, log }: Pick<Runtime, 'engines' | 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  let reportedAtMs: number | null = null
  for (; !signal.aborted; await clock.delay(POLL_MS, signal)) {
    const missing = await outdatedModels(engines.database)
    if (missing.length === 0) return
    const nowMs = clock.monotonicMs()
    if (reportedAtMs !== null && nowMs - reportedAtMs < REPORT_EVERY_MS) continue
    reportedAtMs = nowMs
    log.warn({ readModels: missing }, 'waiting until the projector has rebuilt the read models for this version')
  }
}

/** The read models that are not built yet or are of an older version than this program's. */
async function outdatedModels(database: Database): Promise<string[]> {
  const stored = await readCheckpoints(database)
  return PROJECTIONS.filter(({ name, version }) => (stored.get(name)?.version ?? 0) < version).map(({ name }) => name)
}
