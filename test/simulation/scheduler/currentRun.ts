import { reportTo } from './failures.ts'
import type { SimulatedFiles } from './files.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import type { SimulatedProcess } from './simulatedProcess.ts'

/** The run that the replaced globals belong to. */
export type CurrentRun = {
  readonly scheduler: Scheduler
  /** The randomness of the product: ids, keys, salts. */
  readonly secrets: Random
  readonly databaseAheadMs: number
  /** True while a statement runs, which sees the time of the database. */
  isDatabase: boolean
  readonly files: SimulatedFiles | null
}

export type RunOptions = {
  readonly databaseAheadMs?: number
  /** Collects failures outside of checkers. Without it, an uncaught error ends the simulator. */
  readonly failures?: string[]
  /** Without them, a file below the data folder is a failure. */
  readonly files?: SimulatedFiles
}

let current: CurrentRun | null = null

export const currentRun = (): CurrentRun | null => current

/** The simulated process in whose context the code runs. Null: the simulator itself. */
export const currentProcess = (): SimulatedProcess | null => current?.scheduler.processes.getStore() ?? null

/** Time, timers, randomness and files come from this run from now on. */
export function enterRun(scheduler: Scheduler, options: RunOptions = {}): void {
  const { databaseAheadMs = 0, failures = null, files = null } = options
  const secrets = scheduler.random.fork()
  current = { scheduler, secrets, databaseAheadMs, isDatabase: false, files }
  reportTo({ failures, who: currentProcess, leaveRun })
}

export function leaveRun(): void {
  current = null
  reportTo(null)
}

/** Runs statements at the time of the database. */
export function atDatabaseTime<Result>(work: () => Result): Result {
  if (current === null) return work()
  const run = current
  run.isDatabase = true
  try {
    return work()
  } finally {
    run.isDatabase = false
  }
}
