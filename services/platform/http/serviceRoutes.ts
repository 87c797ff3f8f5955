import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { sendBytes, sendJson } from './answers.ts'
import { bearerToken, isSameToken } from './bearerToken.ts'
import type { Handler } from './httpServer.ts'

export type ServiceRoute = {
  /** internal: needs `Authorization: Bearer <INTERNAL_TOKEN>`. */
  readonly access: 'public' | 'internal'
  handle(request: IncomingMessage, response: ServerResponse): void | Promise<void>
}

/** Method and path make a route. */
export type ServiceRoutes = Readonly<Record<string, ServiceRoute>>

/** Public routes whose paths have parts that vary; null for a request that is none of theirs. */
export type OtherRoutes = (request: IncomingMessage) => ServiceRoute['handle'] | null

/** The routes of a service that is not on the hot path: anything else is 404, a fault of ours 500. */
export function serviceHandler(
  routes: ServiceRoutes,
  internalToken: string,
  log: Log,
  others: OtherRoutes = () => null,
): Handler {
  return (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0]
    const handle = others(request)
    const route = routes[`${request.method} ${path}`] ?? (handle && { access: 'public', handle })
    if (!route) return sendJson(response, 404, { error: 'not found' })
    if (route.access === 'internal' && !isSameToken(bearerToken(request), internalToken)) {
      return sendJson(response, 401, { error: 'this route needs the internal token' }, { 'www-authenticate': 'Bearer' })
    }
    Promise.resolve()
      .then(() => route.handle(request, response))
      .catch((error: unknown) => {
        log.error({ err: error, path }, 'a request failed')
        if (!response.headersSent) sendJson(response, 500, { error: 'internal error' })
        else response.destroy()
      })
  }
}

/** `GET /metrics`, the same on each service. */
export function metricsRoute(metrics: Metrics): ServiceRoute {
  return {
    access: 'internal',
    handle: async (_request, response) => {
      sendBytes(response, 200, metrics.contentType, Buffer.from(await metrics.metrics()))
    },
  }
}
