import { parentPort, workerData } from 'node:worker_threads'
import { type Installation, openInstallation } from '../../capabilities/installation.ts'
import { newestCheckpointEvent } from '../../capabilities/transparency/newestCheckpointEvent.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { type InstallationClock, openInstallationClock } from '../../platform/clock/installationClock.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { forwardingLog } from '../../platform/logger/logger.ts'
import { Metrics } from '../../platform/metrics/metrics.ts'
import { SERVICE_ANSWER_MS_MAX } from '../../platform/postgres/connectionLimits.ts'
import { databaseNowMs } from '../../platform/postgres/databaseTime.ts'
import type { RunningService } from '../../platform/service.ts'
import { openTracing } from '../../platform/tracing/openTracing.ts'
import type { Tracing } from '../../platform/tracing/port.ts'
import { startProjector } from '../../services/projector/projector.ts'
import type { BackgroundData, FromBackground, ToBackground } from './backgroundMessages.ts'

const { config } = workerData as BackgroundData
const send = (message: FromBackground) => parentPort?.postMessage(message)

const log = forwardingLog(config.LOG_LEVEL, (line) => send({ type: 'log', line }))
const metrics = new Metrics()
const services: RunningService[] = []
let tracing: Tracing | null = null
let engines: Installation | undefined
let clock: InstallationClock | undefined

async function startReading(databaseUrl: string): Promise<void> {
  tracing = await openTracing(config, { clock: systemClock, ids: systemIds, log, name: 'tollgate' })
  const runtime = { clock: systemClock, ids: systemIds, log, metrics, tracing }
  const opened = await openInstallation(config, databaseUrl, runtime, {
    sharedByThreads: true,
    answerMsMax: SERVICE_ANSWER_MS_MAX,
  })
  engines = opened
  // Without metrics: the main thread already counts the jumps.
  clock = await openInstallationClock({
    clock: systemClock,
    read: () => databaseNowMs(opened.database),
    newestEvent: () => newestCheckpointEvent(opened.store),
    log,
  })
  services.push(await startProjector({ config, engines, clock, ids: systemIds, log, metrics, tracing }))
}

/** Imported only now, so that the projector does not wait for code that it does not need. */
async function startReacting(): Promise<void> {
  if (!engines || !clock) throw new Error('The reactor was to start before the projector.')
  const { startReactor } = await import('../../services/reactor/reactor.ts')
  services.push(await startReactor({ config, engines, clock, ids: systemIds, log, tracing }))
  const { startSealer } = await import('../../services/reactor/sealer/sealer.ts')
  const { openSigningKeys } = await import('../../capabilities/transparency/signingKeys.ts')
  services.push(
    startSealer({ config, engines, keys: await openSigningKeys(config), clock, ids: systemIds, log, metrics }),
  )
  if (config.KAFKA_BROKERS === undefined) return
  const { startRelay } = await import('../../services/relay/relay.ts')
  const { database, storeAsWritten: store } = engines
  services.push(
    await startRelay({
      brokers: config.KAFKA_BROKERS.split(','),
      database,
      store,
      clock,
      ids: systemIds,
      log,
      metrics,
      tracing,
    }),
  )
}

async function drain(): Promise<void> {
  for (const service of services) await service.drain(config.DRAIN_TIMEOUT_MS)
  clock?.stop()
  await tracing?.close()
  await engines?.close()
  // A collector that does not answer must not keep the thread alive: its exporter keeps waiting.
  if (tracing) process.exit()
  parentPort?.close()
}

// One after the other, so that a drain waits for a start. A failing step ends the thread, which is then replaced.
let steps = Promise.resolve()

parentPort?.on('message', (message: ToBackground) => {
  switch (message.type) {
    case 'metrics':
      void metrics.metrics().then((text) => send({ type: 'metrics', id: message.id, text }))
      return
    case 'startProjector':
      steps = steps.then(() => startReading(message.databaseUrl))
      return
    case 'startReactor':
      steps = steps.then(startReacting)
      return
    case 'drain':
      steps = steps.then(drain)
  }
})
