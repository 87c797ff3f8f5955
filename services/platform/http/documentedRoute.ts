import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { z } from 'zod'
import { sendJson } from './answers.ts'
import { type BodyFault, discardBody, readBody } from './requestBody.ts'
import type { ServiceRoute, ServiceRoutes } from './serviceRoutes.ts'

/** Of a request to a service that is not on the hot path. */
export const SERVICE_BODY_BYTES_MAX = 64 * 1024

export type RouteInput<Query, Body> = {
  readonly query: Query
  readonly body: Body
  readonly request: IncomingMessage
}

/** One route: where it is, who may call it, the schemas that check what comes in and document both directions. */
export type DocumentedRoute<
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** internal: needs `Authorization: Bearer <INTERNAL_TOKEN>`. */
  readonly access: 'public' | 'internal'
  /** The heading that the documentation lists it under. */
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Strict: a parameter that the route does not know is refused. */
  readonly query?: Query
  readonly body?: Body
  readonly answer: Answer
  /** What it may refuse with beside 400, 401 and 500: the status, and when. */
  readonly refusals?: Readonly<Record<number, string>>
  handle(input: RouteInput<z.infer<Query>, z.infer<Body>>): z.infer<Answer> | Promise<z.infer<Answer>>
}

/** Keeps the types of the schemas for the handler. */
export function route<Query extends z.ZodObject, Body extends z.ZodType, Answer extends z.ZodType>(
  route: DocumentedRoute<Query, Body, Answer>,
): DocumentedRoute {
  return route as unknown as DocumentedRoute
}

/** The body of every answer that is not 200. */
export const errorAnswer = z.object({ error: z.string() }).meta({ id: 'Error', description: 'What was wrong' })

/** Thrown by a handler: an answer other than 200. */
export class RouteRefusal extends Error {
  readonly status: number
  readonly headers: OutgoingHttpHeaders

  constructor(status: number, message: string, headers: OutgoingHttpHeaders = {}) {
    super(message)
    this.name = 'RouteRefusal'
    this.status = status
    this.headers = headers
  }
}

/** The routes as `serviceHandler` takes them, which looks after the token, unknown paths and faults of ours. */
export function serviceRoutesOf(routes: readonly DocumentedRoute[]): ServiceRoutes {
  return Object.fromEntries(routes.map((route) => [`${route.method} ${route.path}`, serviceRoute(route)]))
}

function serviceRoute(route: DocumentedRoute): ServiceRoute {
  return {
    access: route.access,
    handle: async (request, response) => {
      try {
        const query = queryOf(route, request)
        const body = route.body ? await bodyOf(route.body, request) : undefined
        sendJson(response, 200, await route.handle({ query, body, request }))
      } catch (error) {
        if (!(error instanceof RouteRefusal)) throw error
        await refuse(request, response, error)
      }
    },
  }
}

const noQuery = z.strictObject({})

function queryOf({ query = noQuery }: DocumentedRoute, request: IncomingMessage): Record<string, unknown> {
  const sent = new URLSearchParams((request.url ?? '').split('?')[1] ?? '')
  return checked(query, Object.fromEntries(sent), 'The query')
}

async function bodyOf(schema: z.ZodType, request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, SERVICE_BODY_BYTES_MAX)
  if (!Buffer.isBuffer(body)) throw bodyRefusal(body)
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString())
  } catch {
    throw new RouteRefusal(400, 'The body is not JSON.')
  }
  return checked(schema, parsed, 'The body')
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.infer<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const place = issue?.path.length ? `'${issue.path.join('.')}'` : what
  throw new RouteRefusal(400, `${place}: ${issue?.message ?? 'is wrong'}`)
}

function bodyRefusal(fault: BodyFault): RouteRefusal {
  if (fault === 'too large') return new RouteRefusal(413, `The body is larger than ${SERVICE_BODY_BYTES_MAX} bytes.`)
  if (fault === 'encoded') return new RouteRefusal(415, 'A compressed body is not taken.')
  return new RouteRefusal(400, 'The body broke off.')
}

async function refuse(request: IncomingMessage, response: ServerResponse, refusal: RouteRefusal): Promise<void> {
  if (!(await discardBody(request))) {
    response.destroy()
    return
  }
  sendJson(response, refusal.status, { error: refusal.message }, refusal.headers)
}
