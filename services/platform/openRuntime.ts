import { systemClock } from './clock/clock.ts'
import type { Config } from './config/config.ts'
import { maskedConfig } from './config/config.ts'
import { type EnginesOptions, openEngines } from './engines.ts'
import { systemIds } from './ids/ids.ts'
import { openLog } from './log/log.ts'
import { toReaders } from './log/logEntry.ts'
import { createMetrics } from './metrics/metrics.ts'
import type { Runtime } from './runtime.ts'
import { generatedSecrets, type Secrets } from './secrets/generatedSecrets.ts'

export type OpenRuntime = Runtime & {
  /** For the lines of threads that have no file of their own. */
  writeLogLine(line: string): void
  close(): Promise<void>
}

export type RuntimeOptions = EnginesOptions & {
  readonly config: Config
  readonly databaseUrl: string
  /** null: standard output. */
  readonly logFile: string | null
  /** What the readers of the log know this process by. */
  readonly name: string
}

/** Opens what a process needs before any of its services. Closing it comes after the last of them has drained. */
export async function openRuntime({
  config,
  databaseUrl,
  logFile,
  name,
  ...options
}: RuntimeOptions): Promise<OpenRuntime> {
  const { log, write: writeLogLine, tap, close: closeLog } = openLog({ level: config.LOG_LEVEL, file: logFile })
  log.info({ config: maskedConfig(config) }, 'starting')
  const secrets = await secretsOf(config)
  const engines = await openEngines(config, databaseUrl, systemClock, log, options)
  tap(toReaders(engines.sharedState.logFanOut, name))
  return {
    config,
    secrets,
    engines,
    clock: systemClock,
    ids: systemIds,
    log,
    metrics: createMetrics(),
    writeLogLine,
    close: async () => {
      await engines.close()
      log.info('stopped')
      closeLog()
    },
  }
}

/** Settings first; what a sandbox installation does not set is generated once. */
async function secretsOf(config: Config): Promise<Secrets> {
  const generated = config.sandbox ? await generatedSecrets(config.DATA_DIR) : null
  return {
    jwtSecret: config.JWT_SECRET ?? generated?.jwtSecret ?? '',
    internalToken: config.INTERNAL_TOKEN ?? generated?.internalToken ?? '',
    webhookSecret: config.STRIPE_WEBHOOK_SECRET ?? generated?.webhookSecret ?? '',
  }
}
