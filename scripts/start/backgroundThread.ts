import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../services/platform/clock/clock.ts'
import { openEngines } from '../../services/platform/engines.ts'
import { systemIds } from '../../services/platform/ids/ids.ts'
import { forwardingLog } from '../../services/platform/log/log.ts'
import { Metrics } from '../../services/platform/metrics/metrics.ts'
import { startProjector } from '../../services/projector/projector.ts'
import { startReactor } from '../../services/reactor/reactor.ts'
import { startRelay } from '../../services/relay/relay.ts'
import type { BackgroundData, FromBackground, ToBackground } from './backgroundMessages.ts'

/** The thread that projector, reactor and relay run in, so that what they compute does not delay a call. */
const { config, databaseUrl } = workerData as BackgroundData
const send = (message: FromBackground) => parentPort?.postMessage(message)

const clock = systemClock
const log = forwardingLog(config.LOG_LEVEL, (line) => send({ type: 'log', line }))
const metrics = new Metrics()
const engines = await openEngines(config, databaseUrl, { clock, ids: systemIds, log }, { sharedByThreads: true })
const services = [
  await startProjector({ engines, clock, log, metrics }),
  await startReactor({ config, engines, clock, log }),
]
if (config.KAFKA_BROKERS !== undefined) {
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
    }),
  )
}

parentPort?.on('message', async (message: ToBackground) => {
  if (message.type === 'metrics') {
    send({ type: 'metrics', id: message.id, text: await metrics.metrics() })
    return
  }
  for (const service of services) await service.drain(config.DRAIN_TIMEOUT_MS)
  await engines.close()
  parentPort?.close()
})
