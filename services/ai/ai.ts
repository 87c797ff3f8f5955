import { join } from 'node:path'
import type { Runtime } from '../../capabilities/installation.ts'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import { reloadProvidersOnHangup } from '../../capabilities/providers/reloadedProviders.ts'
import { readConsumerLags } from '../../capabilities/readModels/consumerLags.ts'
import { knownSecrets } from '../../capabilities/redaction/knownSecrets.ts'
import { listen } from '../../platform/http/httpServer.ts'
import { readLeases } from '../../platform/leases/leases.ts'
import type { RunningService } from '../../platform/service.ts'
import type { BackgroundWorker } from './backgroundWorker.ts'
import { createAi } from './createAi.ts'
import { MatchScoreGenerator } from './generator/matchScoreGenerator.ts'
import { BackgroundModels } from './models/backgroundModels.ts'
import { AppLogs } from './monitoring/appLogs.ts'
import { registerLagMetrics } from './monitoring/lagMetrics.ts'
import { SystemStats } from './monitoring/systemStats.ts'
import { startWorkers, type WorkerLimits } from './workers/startWorkers.ts'

export async function startAi(
  runtime: Runtime,
  providers: ProviderTable,
  workerLimits: WorkerLimits = {},
): Promise<RunningService> {
  const { config, secrets, engines, clock, ids, log, metrics, tracing, network } = runtime
  const { database, store, commands } = engines
  const models = new BackgroundModels({
    ...{ providers, clock, ids, log, metrics, tracing },
    secrets: knownSecrets(config, secrets),
    cooldownMs: config.BREAKER_COOLDOWN_MS,
  })
  const generator = new MatchScoreGenerator({ engines, clock, ids, log, tracing, models })
  const queues = startWorkers(runtime, models, workerLimits)
  const readLags = () => readConsumerLags({ database, store, usesKafka: config.KAFKA_BROKERS !== undefined })
  const stats = new SystemStats({ readLags, readLeases: () => readLeases(database) })
  registerLagMetrics(metrics, { readLags, store, clock })
  const logs = new AppLogs(join(config.DATA_DIR, 'logs', 'tollgate.log'), 'tollgate')
  await logs.start(engines.sharedState.logFanOut)
  const close = async (timeoutMs: number) => {
    await Promise.all([generator.drain(timeoutMs), queues.drain(timeoutMs)])
    await models.close()
    stats.close()
    logs.close()
  }
  const handler = createAi({
    ...{ clock, ids, log, metrics, tracing, database, commands, generator, models, stats, logs },
    internalToken: secrets.internalToken,
    workers: [generatorWorker(generator), ...queues.workers],
  })
  const address = { host: config.HOST, port: config.AI_PORT, portSetting: 'AI_PORT' }
  const server = await listen({ handler, ...address, clock, bind: network?.listen }).catch(async (error: unknown) => {
    await close(config.DRAIN_TIMEOUT_MS)
    throw error
  })
  const stopReloading = reloadProvidersOnHangup({ config, log, onReload: (table) => models.use(table) })
  return {
    name: 'ai',
    url: server.url,
    drain: async (timeoutMs) => {
      await server.drain(timeoutMs)
      stopReloading()
      await close(timeoutMs)
    },
  }
}

function generatorWorker(generator: MatchScoreGenerator): BackgroundWorker {
  return {
    name: 'match_score_generator',
    health: () => ({
      status: generator.failure === null ? 'healthy' : 'degraded',
      isActive: generator.isProcessing,
    }),
  }
}
