import { sendJson } from '../platform/http/answers.ts'
import { type DocumentedRoute, serviceRoutesOf } from '../platform/http/documentedRoute.ts'
import { listen } from '../platform/http/httpServer.ts'
import { openApiOf } from '../platform/http/openApi.ts'
import { metricsRoute, serviceHandler } from '../platform/http/serviceRoutes.ts'
import { readLeases } from '../platform/leases/leases.ts'
import type { ProviderTable } from '../platform/providers/providersFile.ts'
import { reloadProvidersOnHangup } from '../platform/providers/reloadedProviders.ts'
import type { Runtime } from '../platform/runtime.ts'
import type { RunningService } from '../platform/service.ts'
import { BackgroundModels } from './models/backgroundModels.ts'
import { readConsumerLags } from './monitoring/consumerLags.ts'
import { tellLags } from './monitoring/lagMetrics.ts'
import { SystemStats } from './monitoring/systemStats.ts'
import { health } from './routes/health.ts'
import { healthDatabase } from './routes/healthDatabase.ts'
import { healthLive } from './routes/healthLive.ts'
import { monitoringAiServices } from './routes/monitoringAiServices.ts'
import { monitoringOperations } from './routes/monitoringOperations.ts'
import { monitoringStats } from './routes/monitoringStats.ts'
import { roomEvents } from './routes/roomEvents.ts'
import type { RunnerLimits } from './workers/runner.ts'
import { startWorkers } from './workers/startWorkers.ts'

const INFO = {
  title: 'Tollgate AI service',
  description: 'Background work: match scores, workers, meeting hooks, and how they are doing.',
}

export async function startAi(
  runtime: Runtime,
  providers: ProviderTable,
  workerLimits: Partial<RunnerLimits> = {},
): Promise<RunningService> {
  const { config, secrets, engines, log, metrics } = runtime
  const { database, store } = engines
  const models = new BackgroundModels({ providers, cooldownMs: config.BREAKER_COOLDOWN_MS, log, metrics })
  const readLags = () => readConsumerLags({ database, store, usesKafka: config.KAFKA_BROKERS !== undefined })
  const stats = new SystemStats({ readLags, readLeases: () => readLeases(database) })
  tellLags(metrics, readLags)
  const routes: DocumentedRoute[] = [
    health,
    healthLive,
    healthDatabase(database),
    monitoringStats(stats),
    monitoringOperations(models.operations),
    monitoringAiServices(models),
    ...roomEvents(engines.commands),
  ]
  const openApi = openApiOf(routes, INFO)
  const handler = serviceHandler(
    {
      ...serviceRoutesOf(routes),
      'GET /openapi.json': { access: 'public', handle: (_request, response) => sendJson(response, 200, openApi) },
      'GET /metrics': metricsRoute(metrics),
    },
    secrets.internalToken,
    log,
  )
  const server = await listen({ handler, host: config.HOST, port: config.AI_PORT, portSetting: 'AI_PORT' })
  const workers = startWorkers(runtime, models, workerLimits)
  const stopReloading = reloadProvidersOnHangup({ config, log, take: (table) => models.use(table) })
  return {
    name: 'ai',
    url: server.url,
    drain: async (timeoutMs) => {
      await Promise.all([server.drain(timeoutMs), workers.drain(timeoutMs)])
      stopReloading()
      await models.close()
      stats.close()
    },
  }
}
