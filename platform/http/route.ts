import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Scope } from '../../contracts/scopes.ts'
import type { HttpError } from './answer/httpError.ts'
import type { Reply, Sent } from './answer/reply.ts'
import type { BodyReader, Contents } from './body/bodyReaders.ts'
import type { InFlight } from './limits/inFlight.ts'
import type { RequestPlace } from './limits/requestPlaces.ts'

/**
 * public: anyone; internal: `Authorization: Bearer <INTERNAL_TOKEN>`; key: an API key, with the route's scope; user: a
 * user's token, or none: the handler decides what is allowed without one.
 */
export type Access = 'public' | 'internal' | 'key' | 'user'

export type RouteInput<Caller, Query, Body> = {
  /** What the guard has established about the caller. */
  readonly caller: Caller
  readonly query: Query
  readonly body: Body
  /** For a handler that reads the body by itself. */
  readonly place: RequestPlace
  /** The variable segments of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

type Answered<Answer> = Answer | Reply | Sent

/**
 * One route of any service: its path, who may call it, what comes in and goes out, and what it does. The schemas
 * validate the request, type the handler and produce the OpenAPI document.
 */
export type Route<
  Caller = unknown,
  Query extends z.ZodObject = z.ZodObject,
  Body = unknown,
  Answer extends z.ZodType = z.ZodType,
> = {
  /** ALL: any method, for paths that are refused in an envelope of their own. */
  readonly method: 'GET' | 'POST' | 'DELETE' | 'ALL'
  /** `:name` stands for one segment, `*name` for the rest of the path. */
  readonly path: string
  readonly access: Access
  /** The scope that an API key needs. Without one, any key may call, and the handler decides what it may do. */
  readonly scope?: Scope
  /** Another header that may carry an API key, if there is no Authorization. */
  readonly keyHeader?: string
  /** Another response header for the request's id, where clients of the API look for it. */
  readonly requestIdHeader?: 'request-id'
  /** The body of a refusal, if it differs from the service's; `envelope` builds it. */
  readonly refusal?: z.ZodType
  /** The heading under which the document lists the route. Without one, as for pages and assets, it is not listed. */
  readonly tag?: string
  readonly summary: string
  readonly description?: string
  /** Without a schema, a request with a query is refused; see `anyQuery`. */
  readonly query?: Query
  readonly body?: BodyReader<Body>
  readonly answer?: Answer
  /** Other media types of the answer with status 200. */
  readonly otherAnswers?: Contents
  /** The refusals besides those that access, query and body imply: the status, and when. */
  readonly refusals?: Readonly<Record<number, string>>
  /** The reader throws unless a signature in the body proves the sender. Only then is the request in flight. */
  readonly bodyProvesSender?: true
  /** Counts the identified requests of this route, or of several that share it; beyond its limits they get 429 or 503. */
  readonly inFlight?: InFlight
  /** Requests take a place although they have no body: for public routes that put load on the database. */
  readonly takesPlace?: true
  /** Requests get a span, if the service traces. Probes, metrics and files do not. */
  readonly traced?: true
  /** How this route words a refusal, if it differs from its service. */
  readonly envelope?: Envelope
  handle(
    input: RouteInput<Caller, z.infer<Query>, Body>,
  ): Answered<z.infer<Answer>> | Promise<Answered<z.infer<Answer>>>
}

/** Words a refusal the way callers of a service or route expect it. */
export type Envelope = (error: HttpError, requestId: string, request: IncomingMessage) => Reply

/** For a route that reads the query itself, or ignores it. */
export const anyQuery = z.looseObject({})

/** Infers a route's types from its schemas, so that the handler need not name them. */
export function route<
  Caller = unknown,
  Query extends z.ZodObject = z.ZodObject,
  Body = unknown,
  Answer extends z.ZodType = z.ZodType,
>(route: Route<Caller, Query, Body, Answer>): Route<Caller> {
  return route as Route<Caller>
}
