import type { Simulation } from './simulation.ts'

export type WorldName = 'A' | 'B' | 'C'

/** Processes of an installation, what is asked of them, and what must hold. */
export type World = {
  readonly name: WorldName
  readonly usesDatabase: boolean
  /** Counters that must not stay at zero over 500 seeds. */
  readonly requiredCounters?: readonly string[]
  /** When a run begins. Default: in the middle of a month. */
  startMs?(seed: number): number | undefined
  build(simulation: Simulation): Promise<BuiltWorld>
}

export type BuiltWorld = {
  /** Begins when the world is built. Faults happen while it lasts. */
  readonly loads: readonly Load[]
  readonly checkers: readonly Checker[]
  /** All of them must hold within 60 simulated seconds, or their own time, after loads and faults have stopped. */
  readonly liveness: readonly Condition[]
}

/** Acts as callers, admins and outside parties do. */
export type Load = {
  start(): void
  /** Begins nothing new. */
  stop(): void
}

/** Shares no code with the product: it reads rows, stored events, and what loads and parties have written down. */
export type Checker = {
  readonly invariant: string
  /** Every simulated second. Returns what is wrong. */
  watch?(): string | null
  /** When everything is quiet. */
  end(): string | null | Promise<string | null>
}

export type Condition = {
  readonly name: string
  /** Where the documents promise another time. Default: 60 s. */
  readonly withinMs?: number
  /** What is missing; null if it holds. */
  missing(): string | null
}
