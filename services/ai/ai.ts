import { join } from 'node:path'
import { apiDocsRoutes } from '../platform/http/apiDocs/apiDocs.ts'
import { type DocumentedRoute, serviceRoutesOf } from '../platform/http/documentedRoute.ts'
import { listen } from '../platform/http/httpServer.ts'
import { openApiOf } from '../platform/http/openApi.ts'
import { metricsRoute, serviceHandler } from '../platform/http/serviceRoutes.ts'
import { readLeases } from '../platform/leases/leases.ts'
import type { ProviderTable } from '../platform/providers/providersFile.ts'
import { reloadProvidersOnHangup } from '../platform/providers/reloadedProviders.ts'
import type { Runtime } from '../platform/runtime.ts'
import type { RunningService } from '../platform/service.ts'
import type { BackgroundWorker } from './backgroundWorker.ts'
import { MatchScoreGenerator } from './generator/matchScoreGenerator.ts'
import { BackgroundModels } from './models/backgroundModels.ts'
import { AppLogs } from './monitoring/appLogs.ts'
import { readConsumerLags } from './monitoring/consumerLags.ts'
import { tellLags } from './monitoring/lagMetrics.ts'
import { SystemStats } from './monitoring/systemStats.ts'
import { generatorRoutes } from './routes/generator.ts'
import { health } from './routes/health.ts'
import { healthDatabase } from './routes/healthDatabase.ts'
import { healthLive } from './routes/healthLive.ts'
import { healthReady } from './routes/healthReady.ts'
import { monitoringAiServices } from './routes/monitoringAiServices.ts'
import { monitoringAppLogs } from './routes/monitoringAppLogs.ts'
import { monitoringErrors } from './routes/monitoringErrors.ts'
import { monitoringOperations } from './routes/monitoringOperations.ts'
import { monitoringStats } from './routes/monitoringStats.ts'
import { roomEvents } from './routes/roomEvents.ts'
import { startWorkers } from './workers/startWorkers.ts'
import type { RunnerLimits } from './workers/workerRunner.ts'

const INFO = {
  title: 'Tollgate AI service',
  description: 'Background work: match scores, workers, meeting hooks, and how they are doing.',
}

export async function startAi(
  runtime: Runtime,
  providers: ProviderTable,
  workerLimits: Partial<RunnerLimits> = {},
): Promise<RunningService> {
  const { config, secrets, engines, clock, ids, log, metrics } = runtime
  const { database, store } = engines
  const models = new BackgroundModels({ providers, cooldownMs: config.BREAKER_COOLDOWN_MS, clock, ids, log, metrics })
  const generator = new MatchScoreGenerator({ engines, clock, ids, log, models })
  const queues = startWorkers(runtime, models, workerLimits)
  const workers = [generatorWorker(generator), ...queues.workers]
  const readLags = () => readConsumerLags({ database, store, usesKafka: config.KAFKA_BROKERS !== undefined })
  const stats = new SystemStats({ readLags, readLeases: () => readLeases(database) })
  tellLags(metrics, readLags)
  const logs = new AppLogs(join(config.DATA_DIR, 'logs', 'tollgate.log'), 'tollgate')
  await logs.begin(engines.sharedState.logFanOut)
  const routes: DocumentedRoute[] = [
    health,
    healthLive,
    healthReady({ database, clock, models, workers }),
    healthDatabase(database, clock),
    monitoringStats(stats),
    monitoringOperations(models.operations),
    monitoringAppLogs(logs),
    monitoringErrors(logs),
    monitoringAiServices(models),
    ...generatorRoutes(generator),
    ...roomEvents(engines.commands),
  ]
  const handler = serviceHandler(
    {
      ...serviceRoutesOf(routes),
      ...apiDocsRoutes('', openApiOf(routes, INFO)),
      'GET /metrics': metricsRoute(metrics),
    },
    secrets.internalToken,
    log,
  )
  const close = async (timeoutMs: number) => {
    await Promise.all([generator.drain(timeoutMs), queues.drain(timeoutMs)])
    await models.close()
    stats.close()
    logs.close()
  }
  const port = { host: config.HOST, port: config.AI_PORT, portSetting: 'AI_PORT' }
  const server = await listen({ handler, ...port }).catch(async (error: unknown) => {
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
