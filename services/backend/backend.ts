import type { Runtime } from '../../capabilities/installation.ts'
import { TransparencyLog } from '../../capabilities/transparency/transparencyLog.ts'
import { metricsRoute } from '../../platform/http/commonRoutes/metricsRoute.ts'
import { type App, createApp } from '../../platform/http/createApp.ts'
import { type Guards, serviceGuards } from '../../platform/http/guards.ts'
import { listen } from '../../platform/http/httpServer.ts'
import { RequestPlaces } from '../../platform/http/limits/requestPlaces.ts'
import type { Route } from '../../platform/http/route.ts'
import type { RunningService } from '../../platform/service.ts'
import { ConsoleBuild } from './console/consoleBuild.ts'
import { consoleRoutes } from './console/consoleRoutes.ts'
import { consoleSettings } from './console/settings.ts'
import { GraphqlLoader } from './graphql/loadGraphql.ts'
import { checker } from './routes/checker.ts'
import { demoUsersRoute } from './routes/demoUsers.ts'
import { graphqlRoutes } from './routes/graphql.ts'
import { health, healthz } from './routes/health.ts'
import { paymentEventRoute } from './routes/paymentEvents.ts'
import { paymentReturn } from './routes/paymentReturn.ts'
import { sessionRoutes } from './routes/session.ts'
import { signInPage } from './routes/signInPage.ts'
import { statement } from './routes/statement.ts'
import { transparencyLogRoutes } from './routes/transparencyLog.ts'
import { type BackendCaller, userGuard } from './userGuard.ts'

/** Everything of the backend that is HTTP; `graphqlSockets` serves the rest. */
export function createBackend(runtime: Runtime, graphql: GraphqlLoader, build: ConsoleBuild): App {
  const { config, secrets, clock, ids, log, tracing } = runtime
  const guards: Guards<BackendCaller> = { ...serviceGuards(secrets.internalToken), user: userGuard(runtime) }
  const places = new RequestPlaces({ clock, trustedProxies: config.TRUST_PROXY })
  return createApp({ routes: backendRoutes(runtime, graphql, build), guards, places, clock, ids, log, tracing })
}

export function backendRoutes(
  runtime: Runtime,
  graphql: GraphqlLoader,
  build: ConsoleBuild,
): readonly Route<BackendCaller>[] {
  return [
    health(runtime),
    healthz,
    ...graphqlRoutes(graphql, runtime),
    ...sessionRoutes(runtime, graphql),
    demoUsersRoute(runtime),
    ...signInPage,
    paymentEventRoute(runtime),
    paymentReturn,
    statement(runtime),
    checker,
    ...transparencyLogRoutes(new TransparencyLog(runtime.engines.database), runtime),
    consoleSettings(runtime.config),
    ...consoleRoutes(build),
    metricsRoute(runtime.metrics),
  ]
}

export type BackendOptions = {
  /** Loads the GraphQL API at its first request, or when `loadRest` is called, instead of at the start. */
  readonly defersGraphql?: boolean
}

export async function startBackend(
  runtime: Runtime,
  { defersGraphql = false }: BackendOptions = {},
): Promise<RunningService> {
  const { config, clock } = runtime
  const graphql = new GraphqlLoader(runtime)
  const build = new ConsoleBuild({ clock, log: runtime.log, dataDir: config.DATA_DIR })
  if (!defersGraphql) await graphql.load()
  const server = await listen({
    handler: createBackend(runtime, graphql, build),
    host: config.HOST,
    port: config.BACKEND_PORT,
    portSetting: 'BACKEND_PORT',
    onUpgrade: (request, socket, head) => graphql.upgrade(request, socket, head),
    trustedProxies: config.TRUST_PROXY,
    clock,
    bind: runtime.network?.listen,
  })
  return {
    name: 'backend',
    url: server.url,
    loadRest: async () => {
      await graphql.load()
      // It goes on while the other services load.
      void build.prepare()
    },
    drain: async (timeoutMs) => {
      await Promise.all([build.stop(), graphql.drain(timeoutMs), server.drain(timeoutMs)])
    },
  }
}
