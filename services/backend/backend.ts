import { dependencyHealth } from '../platform/dependencyHealth.ts'
import { sendJson } from '../platform/http/answers.ts'
import { listen } from '../platform/http/httpServer.ts'
import { metricsRoute, serviceHandler } from '../platform/http/serviceRoutes.ts'
import { databaseHealth } from '../platform/postgres/databaseHealth.ts'
import type { Runtime } from '../platform/runtime.ts'
import type { RunningService } from '../platform/service.ts'
import { createApi } from './graphql/api.ts'
import { graphqlRoute } from './graphql/httpRoute.ts'
import { graphqlSockets } from './graphql/sockets.ts'
import { returnPage } from './payments/returnPage.ts'
import { webhookRoute } from './payments/webhookRoute.ts'

export async function startBackend(runtime: Runtime): Promise<RunningService> {
  const { config, secrets, engines, clock, log, metrics } = runtime
  const api = createApi(runtime)
  const graphql = graphqlRoute(api, runtime)
  const sockets = graphqlSockets(api, runtime)
  const handler = serviceHandler(
    {
      // 200 while the process runs: a balancer must not take all backends out because one dependency is slow.
      'GET /health': {
        access: 'public',
        handle: async (_request, response) => {
          const [database, eventStore] = await Promise.all([
            databaseHealth(engines.database, clock),
            dependencyHealth(() => engines.store.head(), clock),
          ])
          const components = { database, event_store: eventStore, shared_state: engines.sharedState.health() }
          const isHealthy = Object.values(components).every((component) => component.status === 'healthy')
          sendJson(response, 200, { status: isHealthy ? 'healthy' : 'degraded', components })
        },
      },
      'GET /healthz': { access: 'public', handle: (_request, response) => sendJson(response, 200, { status: 'ok' }) },
      'GET /graphql': graphql,
      'POST /graphql': graphql,
      'POST /payments/webhook': webhookRoute(runtime),
      'GET /payments/return': returnPage,
      'GET /metrics': metricsRoute(metrics),
    },
    secrets.internalToken,
    log,
  )
  const address = { host: config.HOST, port: config.BACKEND_PORT, portSetting: 'BACKEND_PORT' }
  const server = await listen({ handler, ...address, onUpgrade: sockets.upgrade })
  return {
    name: 'backend',
    url: server.url,
    drain: async (timeoutMs) => {
      await Promise.all([sockets.drain(timeoutMs), server.drain(timeoutMs)])
    },
  }
}
