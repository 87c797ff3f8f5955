import type { Clock } from './clock/clock.ts'
import type { Config } from './config/config.ts'
import type { Engines } from './engines.ts'
import type { Ids } from './ids/ids.ts'
import type { Log } from './logger/logger.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Network } from './network.ts'
import type { Secrets } from './secrets/generatedSecrets.ts'
import type { Tracing } from './tracing/port.ts'

/** What a process opens before it deals with any business. */
export type Runtime = {
  readonly config: Config
  readonly secrets: Secrets
  readonly engines: Engines
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Metrics
  /** Missing: that of the operating system. */
  readonly network?: Network
  /** Null if traces are not exported, which is the default. */
  readonly tracing: Tracing | null
}
