import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import type { Projection } from '../projection.ts'
import type { Database, Feed, FeedCarrier } from './ports.ts'
import type { SharedTransactions } from './sharedTransactions.ts'

export type RunnerOptions = {
  readonly projection: Projection
  readonly database: Database
  readonly feed: Feed
  readonly carrier?: FeedCarrier
  /** Those of the process, so that its read models are stored together. Default: each on its own. */
  readonly transactions?: Pick<SharedTransactions, 'store'>
  readonly clock: { now(): number; delay(ms: number, signal?: AbortSignal): Promise<void> }
  /** Called after every transaction, with the number of events in it. */
  readonly onAdvanced?: (partition: string, position: Position, events: number) => void
  /** Called with the events of each transaction after its commit, and when it began. */
  readonly onApplied?: (events: readonly RecordedEvent[], beganAtMs: number) => void
  /** Rebuilds the model if it is of an older version. Default: another process has to. */
  readonly rebuild?: (signal: AbortSignal) => Promise<unknown>
  /** Called when the model needs a rebuild before the runner can continue. */
  readonly onStopped?: (error: Error) => void
  /** Called when it was rebuilt. */
  readonly onResumed?: () => void
  /** Called when the database or the feed fails; the runner retries by itself. */
  readonly onTrouble?: (error: unknown) => void
}
