import type { FaultKind } from '../faults/faultPlan.ts'
import type { Books } from '../load/books.ts'
import type { Simulation } from '../simulation.ts'
import type { Checker, Condition } from '../world.ts'

/** Faults that a backend may notice. */
const NOTICED: readonly FaultKind[] = [
  'database connection dies before the statement',
  'database connection dies after the statement',
  'database message is late',
  'database is silent',
  'process is cut off from the database',
  'process is killed while it is cut off',
  'read of events fails',
  'process is killed',
  'process is paused',
  'process is paused at a statement',
  'clock jumps',
]
/** Read models that were far behind take a while to catch up. */
const NOTICED_MS = 60_000
const NEWEST_MS = 5_000

type Health = {
  readonly components: {
    readonly log: { readonly fault: string | null }
    readonly read_models: { readonly needs_rebuild: readonly string[] }
  }
}

/** The health says nothing wrong that was not injected, and never that data does not match. */
export function health({ faults }: Simulation, { health: polls }: Books): Checker {
  let read = 0
  return {
    invariant: 'the health tells the truth',
    watch: () => {
      for (; read < polls.length; read += 1) {
        const poll = polls[read]
        if (!poll) continue
        const { status, text } = poll
        if (status !== 'healthy' && !faults.happenedWithin(NOTICED_MS, NOTICED))
          return `without a fault it says ${text}`
        if (status.startsWith('answered')) continue
        const { log, read_models: models } = (JSON.parse(text) as Health).components
        if (log.fault !== null || models.needs_rebuild.length > 0) return `it says ${text}`
      }
      return null
    },
    end: () => null,
  }
}

export function isHealthy({ scheduler }: Simulation, { health: polls }: Books): Condition {
  return {
    name: 'the health is good',
    missing: () => {
      const newest = polls.at(-1)
      if (!newest || newest.atMs < scheduler.elapsedMs - NEWEST_MS) return 'it was not answered lately'
      return newest.status === 'healthy' ? null : newest.text
    },
  }
}
