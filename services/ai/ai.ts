import { sendJson } from '../platform/http/answers.ts'
import { listen } from '../platform/http/httpServer.ts'
import { metricsRoute, serviceHandler } from '../platform/http/serviceRoutes.ts'
import { readLeases } from '../platform/leases/leases.ts'
import { databaseHealth } from '../platform/postgres/health.ts'
import type { Runtime } from '../platform/runtime.ts'
import type { RunningService } from '../platform/service.ts'
import { readConsumerLags } from './consumerLags.ts'
import { tellLags } from './lagMetrics.ts'
import { SystemStats } from './systemStats.ts'

export async function startAi({ config, secrets, engines, log, metrics }: Runtime): Promise<RunningService> {
  const { database, store } = engines
  const readLags = () => readConsumerLags({ database, store, usesKafka: config.KAFKA_BROKERS !== undefined })
  const stats = new SystemStats({ readLags, readLeases: () => readLeases(database) })
  tellLags(metrics, readLags)
  const handler = serviceHandler(
    {
      'GET /health': {
        access: 'public',
        handle: (_request, response) => sendJson(response, 200, { status: 'healthy' }),
      },
      'GET /health/live': {
        access: 'public',
        handle: (_request, response) => sendJson(response, 200, { status: 'alive' }),
      },
      'GET /health/database': {
        access: 'public',
        handle: async (_request, response) => sendJson(response, 200, await databaseHealth(engines.database)),
      },
      'GET /monitoring/stats': {
        access: 'internal',
        handle: async (_request, response) => sendJson(response, 200, await stats.read()),
      },
      'GET /metrics': metricsRoute(metrics),
    },
    secrets.internalToken,
    log,
  )
  const server = await listen({ handler, host: config.HOST, port: config.AI_PORT, portSetting: 'AI_PORT' })
  return {
    name: 'ai',
    url: server.url,
    drain: async (timeoutMs) => {
      await server.drain(timeoutMs)
      stats.close()
    },
  }
}
