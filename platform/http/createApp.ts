import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express'
import { z } from 'zod'
import type { Clock } from '../clock/clock.ts'
import type { Ids } from '../ids/ids.ts'
import type { Log } from '../logger/logger.ts'
import { inSpan } from '../tracing/activeSpan.ts'
import type { Tracing } from '../tracing/port.ts'
import { HttpError } from './answer/httpError.ts'
import { jsonReply, Reply, SENT } from './answer/reply.ts'
import { sendBeforeBody, sendReply } from './answer/sendReply.ts'
import { missingEngine, UnavailableError } from './answer/unavailableError.ts'
import { checkedBy } from './checkedBy.ts'
import type { Guards } from './guards.ts'
import { type RequestPlace, RequestPlaces } from './limits/requestPlaces.ts'
import { markIdentified } from './limits/unidentifiedConnections.ts'
import type { Lingering } from './lingering.ts'
import { loggedPath } from './loggedPath.ts'
import { anyQuery, type Envelope, type Route } from './route.ts'

/** A service's HTTP app, which does not listen yet. */
export type App = Express

export type AppOptions<Caller> = {
  readonly routes: readonly Route<Caller>[]
  readonly guards: Guards<Caller>
  /** How this service words a refusal; `errorEnvelope` by default. */
  readonly envelope?: Envelope
  /** The places that requests take; its own by default, without trusted proxies. */
  readonly places?: RequestPlaces
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** For the routes that are `traced`. */
  readonly tracing?: Tracing | null
}

/** A service's HTTP app, which can be tested without a port. Anything that is not a route is 404. */
export function createApp<Caller>(options: AppOptions<Caller>): App {
  const { routes, guards, envelope = errorEnvelope, clock, ids, log } = options
  const places = options.places ?? new RequestPlaces({ clock })
  const { lingering } = places
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.disable('query parser')
  app.enable('strict routing')
  app.enable('case sensitive routing')
  app.use(giveRequestId(ids), refuseImplicitMethods)
  for (const route of routes) {
    const serve = endpoint(route, guards, places)
    const method = route.method.toLowerCase() as 'get' | 'post' | 'delete' | 'all'
    const answering = { envelope: route.envelope ?? envelope, lingering, log }
    const refuse: ErrorRequestHandler = (error, request, response, _next) =>
      answerError(error, request, response, answering)
    const handle: RequestHandler = (request, response) => serve(request, response, paramsOf(request))
    const handleTraced: RequestHandler = (request, response) =>
      servedInSpan(options.tracing, `${route.method} ${route.path}`, request, response, async () => {
        try {
          await serve(request, response, paramsOf(request))
        } catch (error) {
          await answerError(error, request, response, answering)
        }
      })
    app[method](route.path, options.tracing && route.traced ? handleTraced : handle, refuse)
  }
  app.use((request) => {
    throw unknownRoute(request)
  })
  const refuse: ErrorRequestHandler = (error, request, response, _next) =>
    answerError(error, request, response, { envelope, lingering, log })
  app.use(refuse)
  return app
}

/** Continues the trace that the request names in its `traceparent`, or starts one. */
async function servedInSpan(
  tracing: Tracing | null | undefined,
  name: string,
  request: Request,
  response: ServerResponse,
  serve: () => Promise<void>,
): Promise<void> {
  const { method, headers, route } = request
  const parent = typeof headers.traceparent === 'string' ? headers.traceparent : undefined
  const attributes = { 'http.request.method': method, 'http.route': String(route?.path ?? '') }
  await inSpan(tracing, name, { kind: 'server', parent, attributes }, async (span) => {
    await serve()
    span?.set({ 'http.response.status_code': response.statusCode })
    if (response.statusCode >= 500) span?.fail(String(response.statusCode))
  })
}

type Params = Readonly<Record<string, string>>

/** Express splits the rest of a path into its segments; `*name` promises a single text, so they are joined again. */
function paramsOf({ params }: Request): Params {
  const entries = Object.entries(params as Record<string, string | string[]>)
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value.join('/') : value]))
}

/**
 * A route as a function of request and response, so that it can also be served without Express. A request takes its place
 * once its guard has let it pass, and keeps it until its answer is sent.
 */
export function endpoint<Caller>(route: Route<Caller>, guards: Guards<Caller>, places: RequestPlaces) {
  const guard = guards[route.access]
  if (!guard) throw new Error(`${route.method} ${route.path}: no guard for the access ${route.access}`)
  const { inFlight } = route
  const takesPlace = route.body !== undefined || inFlight !== undefined || route.takesPlace === true
  return async (request: IncomingMessage, response: ServerResponse, params: Params = {}): Promise<void> => {
    const { caller, holder } = await guard(request, response, route)
    if (holder !== null) markIdentified(request.socket)
    let place = takesPlace ? places.enter(request, holder, inFlight) : places.uncounted
    try {
      const query = queryOf(route.query, request)
      const body = await route.body?.read(request, place)
      if (route.bodyProvesSender) {
        place.leave()
        place = places.enterProven(request, inFlight)
      }
      const requestId = String(response.getHeader(REQUEST_ID) ?? '')
      const answer = await route.handle({ caller, query, body, place, params, requestId, request, response })
      if (answer === SENT) return
      const reply = answer instanceof Reply ? answer : jsonReply(200, answer)
      if (request.complete) sendReply(response, reply)
      else void sendBeforeBody(request, response, reply, places.lingering)
    } finally {
      leaveWhenSent(place, response)
    }
  }
}

/** An answer that its caller has not read yet is still in memory. */
function leaveWhenSent(place: RequestPlace, response: ServerResponse): void {
  if (response.writableLength > 0 && !response.destroyed) response.once('close', () => place.leave())
  else place.leave()
}

const REQUEST_ID = 'x-request-id'
const NO_QUERY = z.strictObject({})

function giveRequestId(ids: Ids): RequestHandler {
  return (_request, response, next) => {
    response.setHeader(REQUEST_ID, ids.uuid())
    next()
  }
}

/** Express would answer HEAD with the route of GET, and OPTIONS by itself. */
const refuseImplicitMethods: RequestHandler = (request, _response, next) => {
  if (request.method === 'HEAD' || request.method === 'OPTIONS') throw unknownRoute(request)
  next()
}

function unknownRoute({ method, path }: Request): HttpError {
  return new HttpError(404, `there is no route ${method} ${path}`)
}

function queryOf(schema: z.ZodObject | undefined, request: IncomingMessage): Record<string, unknown> {
  if (schema === anyQuery) return {}
  const url = request.url ?? ''
  const mark = url.indexOf('?')
  const sent = Object.fromEntries(new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)))
  return checkedBy(schema ?? NO_QUERY, sent, 'The query')
}

/** The envelope of services that callers reach without an SDK. */
export const errorEnvelope: Envelope = ({ status, message, headers }) => jsonReply(status, { error: message }, headers)

/** The one place where an error becomes an answer. A fault of ours reveals nothing; the log has its request id. */
export async function answerError(
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  { envelope, lingering, log }: { readonly envelope: Envelope; readonly lingering: Lingering; readonly log: Log },
): Promise<void> {
  const requestId = String(response.getHeader(REQUEST_ID) ?? '')
  const refusal = httpErrorOf(error)
  if (refusal !== error && !isOfConnection(error, request, response))
    log.error({ err: error, requestId, method: request.method, path: loggedPath(request) }, 'request failed')
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  await sendBeforeBody(request, response, envelope(refusal, requestId, request), lingering)
}

/** A client that disconnects is no fault of ours, and could fill the log. */
function isOfConnection(error: unknown, request: IncomingMessage, response: ServerResponse): boolean {
  return error === request.errored || error === response.errored || error === request.socket?.errored
}

function httpErrorOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  // Express refuses a path that cannot be decoded with a status of its own.
  if (error instanceof URIError) return new HttpError(400, 'the path cannot be decoded')
  const missing = missingEngine(error)
  if (missing !== null) return new UnavailableError(`${missing}; try again in a few seconds`)
  return new HttpError(500, 'internal error')
}
