import type { Installation } from '../../capabilities/installation.ts'

/** An empty installation, as durable as a real one, whose projectors start on demand. */
export type FeedInstallation = {
  /** The engines of this process, which appends and polls the rows. */
  readonly engines: Installation
  startProjector(): Promise<Running>
}

export type Running = { stop(): Promise<void> }
