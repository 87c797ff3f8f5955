import type { Express } from 'express'
import { createApp } from '../platform/http/createApp.ts'
import { serviceGuards } from '../platform/http/guards.ts'
import { listen } from '../platform/http/httpServer.ts'
import { metricsRoute } from '../platform/http/metricsRoute.ts'
import type { Runtime } from '../platform/runtime.ts'
import type { RunningService } from '../platform/service.ts'
import { createApi, type GraphqlApi } from './graphql/api.ts'
import { graphqlSockets } from './graphql/sockets.ts'
import { graphqlRoutes } from './routes/graphql.ts'
import { health } from './routes/health.ts'
import { healthz } from './routes/healthz.ts'
import { paymentReturn } from './routes/paymentReturn.ts'
import { paymentsWebhook } from './routes/paymentsWebhook.ts'

/** Everything of the backend that is HTTP; `graphqlSockets` serves the rest. */
export function createBackend(runtime: Runtime, api: GraphqlApi): Express {
  const { secrets, clock, ids, log, metrics } = runtime
  return createApp({
    routes: [
      health(runtime),
      healthz,
      ...graphqlRoutes(api, runtime),
      paymentsWebhook(runtime),
      paymentReturn,
      metricsRoute(metrics),
    ],
    guards: serviceGuards(secrets.internalToken),
    clock,
    ids,
    log,
  })
}

export async function startBackend(runtime: Runtime): Promise<RunningService> {
  const { config, clock } = runtime
  const api = createApi(runtime)
  const sockets = graphqlSockets(api, runtime)
  const server = await listen({
    handler: createBackend(runtime, api),
    host: config.HOST,
    port: config.BACKEND_PORT,
    portSetting: 'BACKEND_PORT',
    onUpgrade: sockets.upgrade,
    clock,
  })
  return {
    name: 'backend',
    url: server.url,
    drain: async (timeoutMs) => {
      await Promise.all([sockets.drain(timeoutMs), server.drain(timeoutMs)])
    },
  }
}
