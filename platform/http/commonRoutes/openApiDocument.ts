import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiSecuritySchemeObject,
} from 'zod-openapi'
import { VERSION } from '../../version.ts'
import type { Access, Route } from '../route.ts'

export type OpenApiDocument = ReturnType<typeof createDocument>

export type OpenApiInfo = {
  readonly title: string
  readonly description: string
  /** The envelope of refusals; `{error: string}` by default. */
  readonly error?: z.ZodType
  /** Refusals that any route of this service may give, unless it describes its own: the status, and when. */
  readonly refusals?: (route: Route<never>) => Readonly<Record<number, string>>
}

/** The body of every answer that is not 200, unless a service has another envelope. */
const errorAnswer = z.object({ error: z.string() }).meta({ id: 'Error', description: 'What was wrong' })

const SCHEMES: Readonly<Record<Access, { name: string; scheme: ZodOpenApiSecuritySchemeObject } | null>> = {
  public: null,
  internal: {
    name: 'internalToken',
    scheme: { type: 'http', scheme: 'bearer', description: 'INTERNAL_TOKEN of this installation' },
  },
  key: { name: 'apiKey', scheme: { type: 'http', scheme: 'bearer', description: 'An API key' } },
  user: { name: 'userToken', scheme: { type: 'http', scheme: 'bearer', description: 'The token of a log-in' } },
}

/** Builds the OpenAPI 3.1 document from the same schemas that validate requests. */
export function openApiDocument(routes: readonly Route<never>[], info: OpenApiInfo): OpenApiDocument {
  const documented = routes.filter(({ tag }) => tag !== undefined)
  const paths: ZodOpenApiPathsObject = {}
  for (const route of documented) {
    // `:id` and `*id` are `{id}` in OpenAPI.
    const path = route.path.replace(/[:*](\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, info) }
  }
  const schemes = documented.map(({ access }) => SCHEMES[access]).filter((scheme) => scheme !== null)
  return createDocument({
    openapi: '3.1.1',
    info: { title: info.title, description: info.description, version: VERSION },
    // Relative to the address from which the document was read, which the reader knows.
    servers: [{ url: '/' }],
    paths,
    components: { securitySchemes: Object.fromEntries(schemes.map(({ name, scheme }) => [name, scheme])) },
  })
}

function operationOf(route: Route<never>, info: OpenApiInfo): ZodOpenApiOperationObject {
  const { method, path, access, scope, tag = '', summary, query, body, answer, otherAnswers = {} } = route
  const scheme = SCHEMES[access]
  const description = [route.description, scope && `Needs the scope \`${scope}\`.`].filter(Boolean).join(' ')
  const refused = { ...(info.refusals ?? impliedRefusals)(route), ...route.refusals }
  const error = route.refusal ?? info.error ?? errorAnswer
  return {
    operationId: operationId(method, path),
    tags: [tag],
    summary,
    ...(description === '' ? {} : { description }),
    security: scheme ? [{ [scheme.name]: [] }] : [],
    requestParams: { ...(query ? { query } : {}), ...pathParams(path) },
    ...(body ? { requestBody: { required: true, content: { ...body.contents } } } : {}),
    responses: {
      '200': {
        description: summary,
        content: { ...(answer ? { 'application/json': { schema: answer } } : {}), ...otherAnswers },
      },
      ...Object.fromEntries(
        Object.entries(refused).map(([status, when]) => [
          status,
          { description: `${STATUS_CODES[status]}: ${when}`, content: { 'application/json': { schema: error } } },
        ]),
      ),
    },
  }
}

function pathParams(path: string): { path?: z.ZodObject } {
  const names = [...path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => [name, z.string()] as const)
  return names.length === 0 ? {} : { path: z.object(Object.fromEntries(names)) }
}

const BODY_REFUSALS: Readonly<Record<number, string>> = {
  408: 'The body did not arrive in time',
  413: 'The body is too large',
  415: 'The body is compressed',
  429: 'Too many requests of this caller are under way; retry after retry-after',
  503: 'Too many requests are under way; retry after retry-after',
}

/** The refusals that a route's access, query and body imply. */
function impliedRefusals({ access, body }: Route<never>): Record<number, string> {
  const refusals: Record<number, string> = {
    400: 'A parameter or the body is wrong; the message names it',
    500: 'A fault of this service; its log has the details',
  }
  if (access === 'internal') refusals[401] = 'The internal token is missing or wrong'
  if (body) Object.assign(refusals, BODY_REFUSALS)
  return refusals
}

/** `GET /health/live` is getHealthLive. */
function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
