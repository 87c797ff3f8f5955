import type { Clock } from '../clock/clock.ts'
import type { Ids } from '../ids/ids.ts'
import type { Log } from '../logger/logger.ts'

export type TracingOptions = {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** The name of this process; OTEL_SERVICE_NAME replaces it. */
  readonly name: string
}
