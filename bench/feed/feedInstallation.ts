import type { Engines } from '../../platform/engines.ts'

/** An empty installation, as durable as a real one, whose projectors start on demand. */
export type Installation = {
  /** The engines of this process, which appends and polls the rows. */
  readonly engines: Engines
  startProjector(): Promise<Running>
}

export type Running = { stop(): Promise<void> }
