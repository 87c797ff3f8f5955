import type { IncomingMessage, ServerResponse } from 'node:http'
import { apiDocsRoutes } from '../../platform/http/commonRoutes/docsRoutes.ts'
import { metricsRoute } from '../../platform/http/commonRoutes/metricsRoute.ts'
import { answerError, createApp, endpoint } from '../../platform/http/createApp.ts'
import { serviceGuards } from '../../platform/http/guards.ts'
import type { Handler } from '../../platform/http/httpServer.ts'
import { clientAddress, networkOf } from '../../platform/http/limits/clientAddress.ts'
import { InFlight } from '../../platform/http/limits/inFlight.ts'
import { RequestPlaces } from '../../platform/http/limits/requestPlaces.ts'
import type { Envelope, Route } from '../../platform/http/route.ts'
import type { Tracing } from '../../platform/tracing/port.ts'
import { applyHeaders, collectHeaders, setRequestId } from './answerHeaders.ts'
import { CallTrace, traceOf } from './call/callTrace.ts'
import type { GatewayDependencies } from './dependencies.ts'
import { asGatewayError, GatewayError, refusalReply } from './gatewayError.ts'
import { keyGuard, markBegan } from './keyGuard.ts'
import { gatewayDocument } from './openApi.ts'
import { refusalLines } from './refusalLines.ts'
import type { RequestContext } from './requestContext.ts'
import { call } from './routes/call.ts'
import { callReceipt } from './routes/callReceipt.ts'
import { chatCompletions } from './routes/chatCompletions.ts'
import { completions } from './routes/completions.ts'
import { countTokens } from './routes/countTokens.ts'
import { embeddings } from './routes/embeddings.ts'
import { jobs } from './routes/jobs.ts'
import { mcp } from './routes/mcp.ts'
import { messages } from './routes/messages.ts'
import { model } from './routes/model.ts'
import { models } from './routes/models.ts'
import { MOUNT } from './routes/mount.ts'
import { parseCv } from './routes/parseCv.ts'
import { parseJd } from './routes/parseJd.ts'
import { responses } from './routes/responses.ts'
import { usage } from './routes/usage.ts'

const REQUESTS_IN_FLIGHT_MAX = 5_000

/**
 * The gateway's whole HTTP interface, as a handler that can be tested without a port. Inference routes are served
 * before Express, from the same route objects: see docs/decisions/0002-inference-before-express.md.
 */
export function createGateway(deps: GatewayDependencies): Handler {
  const { clock, ids, log, metrics, requests, tracing } = deps
  const { inference, others, operations } = gatewayRoutes(deps)
  const places = new RequestPlaces({ clock, trustedProxies: deps.trustedProxies })
  const { lingering } = places
  const inFlight = new InFlight(REQUESTS_IN_FLIGHT_MAX)
  metrics.observeInFlight(() => inFlight.count)
  const guards = { key: keyGuard(deps) }
  const logRefusal = refusalLines(deps)
  const counted =
    (wording: Envelope): Envelope =>
    (error, requestId, request) => {
      const refusal = asGatewayError(error)
      metrics.refused(refusal)
      if (tracing) traceOf(request)?.refused(refusal.code)
      logRefusal(refusal, requestId, request)
      return wording(refusal, requestId, request)
    }
  const envelope = counted((error) => refusalReply(asGatewayError(error)))
  const endpoints = new Map(
    inference.map((route) => [
      placeOf(route),
      {
        serve: endpoint({ ...route, inFlight }, guards, places),
        requestIdHeader: route.requestIdHeader,
        envelope: route.envelope ? counted(route.envelope) : envelope,
      },
    ]),
  )
  const routes = others.map((route) => untilEnded(deps, { ...route, inFlight }))
  const app = createApp({ routes, guards, envelope, places, clock, ids, log })

  /** The steps of every request: its id, the rate limit of its address, and the error envelope. */
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    markBegan(response, clock.monotonicMs())
    const inferenceRoute = endpoints.get(`${request.method} ${pathOf(request)}`)
    if (inferenceRoute) collectHeaders(response, inferenceRoute.requestIdHeader)
    setRequestId(response, ids.timeOrderedUuid())
    try {
      await deps.rateLimiter.admitAddress(networkOf(clientAddress(request, deps.trustedProxies)))
      if (inferenceRoute) await inferenceRoute.serve(request, response)
      else await serveByApp(request, response)
    } catch (error) {
      applyHeaders(response)
      const wording = inferenceRoute?.envelope ?? envelope
      await answerError(error, request, response, { envelope: wording, lingering, log })
    }
  }

  /** Resolves when the response is closed, because Express does not report the end of a request. */
  async function serveByApp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    requireOriginForm(request)
    response.once('close', resolve)
    if (response.destroyed) resolve()
    app(request, response)
    await promise
  }

  /** Like serve, in the caller's trace or a new one. */
  async function serveTraced(tracing: Tracing, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const trace = new CallTrace(tracing, clock, request, routeOf(pathOf(request)))
    try {
      await serve(request, response)
    } finally {
      trace.end(response.statusCode)
    }
  }

  const routeOf = routeFinder([...inference, ...others].map(({ path }) => path))
  const operationsGuards = serviceGuards(deps.internalToken)
  const operationsApp = createApp({ routes: operations, guards: operationsGuards, places, clock, ids, log })
  const operationsPlaces = new Set(operations.map(placeOf))
  return (request, response) => {
    if (operationsPlaces.has(`${request.method} ${request.url}`)) operationsApp(request, response)
    else requests.add(tracing ? serveTraced(tracing, request, response) : serve(request, response))
  }
}

/** Every route of the gateway. Those for operations neither need an API key nor count against a limit. */
export function gatewayRoutes(deps: GatewayDependencies) {
  const inference = [chatCompletions, completions, embeddings, responses, messages, countTokens].map((route) =>
    route(deps),
  )
  const others = [models, model, usage, call, callReceipt, jobs, parseCv, parseJd, ...mcp].map((route) => route(deps))
  const document = () => gatewayDocument([...inference, ...others])
  return { inference, others, operations: [metricsRoute(deps.registry), ...apiDocsRoutes(MOUNT, document)] }
}

function placeOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const mark = url.indexOf('?')
  return mark === -1 ? url : url.slice(0, mark)
}

/** The route that serves a path, as traces name it; the mount of all routes if there is none. */
function routeFinder(paths: readonly string[]): (path: string) => string {
  const exact = new Set(paths)
  const patterns = paths
    .filter((path) => /[:*]/.test(path))
    .map((path) => ({ path, matches: new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace(/\*\w+/g, '.+')}$`) }))
  return (path) => (exact.has(path) ? path : (patterns.find(({ matches }) => matches.test(path))?.path ?? MOUNT))
}

/** Express would also take the path out of a whole URL, or out of one with a fragment; those are not routes here. */
function requireOriginForm({ method, url = '/' }: IncomingMessage): void {
  if (url.startsWith('/') && !url.includes('#')) return
  throw new GatewayError('unknownRoute', `There is no route ${method} ${url}.`)
}

/** A drain waits for the handler itself, which may go on after its caller has disconnected and the response is closed. */
function untilEnded({ requests }: GatewayDependencies, route: Route<RequestContext>): Route<RequestContext> {
  return {
    ...route,
    handle: (input) => {
      const handling = Promise.resolve(route.handle(input))
      requests.add(handling)
      return handling
    },
  }
}
