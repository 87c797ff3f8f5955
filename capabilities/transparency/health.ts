import type { Clock } from '../../platform/clock/clock.ts'
import { type DependencyHealth, dependencyCheck } from '../../platform/dependencyHealth.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { readFault } from './faults.ts'

export type TransparencyHealth = {
  readonly status: 'healthy' | 'degraded'
  /** What no longer matches; null if nothing is known to differ. */
  readonly fault: string | null
  readonly fault_event: string | null
}

const UNKNOWN: TransparencyHealth = { status: 'healthy', fault: null, fault_event: null }

/** The transparency log as health endpoints report it: degraded at worst, because calls continue while it has a fault. */
export function transparencyCheck(sql: Sql, clock: Clock): () => Promise<TransparencyHealth> {
  let last = UNKNOWN
  const read = async () => {
    const known = await readFault(sql)
    last = known ? { status: 'degraded', fault: known.fault, fault_event: known.eventId } : UNKNOWN
  }
  const check: () => Promise<DependencyHealth> = dependencyCheck(read, clock)
  return async () => {
    // A database that does not answer is reported as its own component.
    await check()
    return last
  }
}
