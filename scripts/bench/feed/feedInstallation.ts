import type { Engines } from '../../../services/platform/engines.ts'

/** An empty installation, durable as a real one, that nobody makes read models of until it is asked for. */
export type Installation = {
  /** This process's own: it appends, and looks at the rows. */
  readonly engines: Engines
  startProjector(): Promise<Running>
}

export type Running = { stop(): Promise<void> }
