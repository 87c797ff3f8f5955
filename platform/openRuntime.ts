import { Gauge } from 'prom-client'
import type { RecordedEvent } from '../contracts/envelope.ts'
import { systemClock } from './clock/clock.ts'
import { openInstallationClock } from './clock/installationClock.ts'
import { type Config, maskedConfig } from './config/config.ts'
import { type DatabaseSource, type EnginesOptions, openEngines } from './engines.ts'
import type { EventStore } from './eventStore/port.ts'
import { systemIds } from './ids/ids.ts'
import { type OpenLog, openLog } from './logger/logger.ts'
import { publishLinesTo } from './logger/logLines.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import type { Network } from './network.ts'
import { SERVICE_ANSWER_MS_MAX } from './postgres/connectionLimits.ts'
import { databaseNowMs } from './postgres/databaseTime.ts'
import { REVISION } from './revision.ts'
import type { Runtime } from './runtime.ts'
import { generatedSecrets, type Secrets } from './secrets/generatedSecrets.ts'
import { openTracing } from './tracing/openTracing.ts'
import { VERSION } from './version.ts'

export type OpenRuntime = Runtime & {
  /** Writes a line of a thread that has no log file of its own. */
  writeLogLine(line: string): void
  close(): Promise<void>
}

export type RuntimeOptions = EnginesOptions & {
  readonly config: Config
  readonly database: DatabaseSource
  /** A file, or null for standard output, or a log that is open. */
  readonly log: string | null | OpenLog
  /** The name of this process in the log entries that readers get. */
  readonly name: string
  /** An event that is recorded often: its time is compared with the clock. */
  readonly newestEvent: (store: EventStore) => Promise<RecordedEvent | null>
  readonly metrics?: Metrics
  /** Default: that of the operating system. */
  readonly network?: Network
}

export async function openRuntime({
  config,
  database,
  log: logTo,
  name,
  newestEvent,
  metrics = createMetrics(),
  network,
  ...options
}: RuntimeOptions): Promise<OpenRuntime> {
  const {
    log,
    write: writeLogLine,
    tap,
    close: closeLog,
  } = isOpen(logTo) ? logTo : openLog({ level: config.LOG_LEVEL, file: logTo })
  log.info({ config: maskedConfig(config) }, 'starting')
  // In parallel, because generated secrets wait for the disk.
  const reading = secretsOf(config)
  reading.catch(() => {})
  registerBuildInfo(metrics)
  const tracing = await openTracing(config, { clock: systemClock, ids: systemIds, log, name })
  const runtime = { clock: systemClock, ids: systemIds, log, tracing, ...(!options.sharedByThreads && { metrics }) }
  const engines = await openEngines(config, database, runtime, { answerMsMax: SERVICE_ANSWER_MS_MAX, ...options })
  const secrets = await reading.catch(async (error: unknown) => {
    await engines.close()
    throw error
  })
  const read = () => databaseNowMs(engines.database)
  const clock = await openInstallationClock({
    clock: systemClock,
    read,
    newestEvent: () => newestEvent(engines.store),
    log,
    metrics,
  })
  tap(publishLinesTo(engines.sharedState.logFanOut, name))
  return {
    config,
    secrets,
    engines,
    clock,
    ids: systemIds,
    log,
    metrics,
    tracing,
    ...(network && { network }),
    writeLogLine,
    close: async () => {
      clock.stop()
      await tracing?.close()
      await engines.close()
      log.info('stopped')
      closeLog()
    },
  }
}

function isOpen(log: string | null | OpenLog): log is OpenLog {
  return log !== null && typeof log === 'object'
}

/** Secrets from the settings. A sandbox installation generates missing ones once. */
async function secretsOf(config: Config): Promise<Secrets> {
  const generated = config.sandbox ? await generatedSecrets(config.DATA_DIR) : null
  return {
    jwtSecret: config.JWT_SECRET ?? generated?.jwtSecret ?? '',
    internalToken: config.INTERNAL_TOKEN ?? generated?.internalToken ?? '',
    webhookSecret: config.STRIPE_WEBHOOK_SECRET ?? generated?.webhookSecret ?? '',
  }
}

/** Always 1: its labels say what is running, to compare processes and to mark updates in graphs. */
function registerBuildInfo(metrics: Metrics): void {
  new Gauge({
    name: 'tollgate_build_info',
    help: 'Always 1; the labels are the version and commit of the program, and the version of Node',
    labelNames: ['version', 'revision', 'node'],
    registers: [metrics],
  }).set({ version: VERSION, revision: REVISION, node: process.versions.node }, 1)
}
