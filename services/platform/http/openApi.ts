import { STATUS_CODES } from 'node:http'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { type DocumentedRoute, errorAnswer } from './documentedRoute.ts'

export type OpenApiInfo = { readonly title: string; readonly description: string }

export type OpenApiDocument = ReturnType<typeof createDocument>

/** The interface changes with the program: both are of one version. */
export const API_VERSION = '0.1.0'

/** The same on each service; the one answer that is not JSON. */
const METRICS: ZodOpenApiOperationObject = {
  operationId: 'getMetrics',
  tags: ['Monitoring'],
  summary: "This process's figures, as Prometheus reads them",
  security: [{ internalToken: [] }],
  responses: {
    '200': { description: 'The figures', content: { 'text/plain': { schema: { type: 'string' } } } },
    '401': {
      description: 'Unauthorized: The internal token is missing or wrong',
      content: { 'application/json': { schema: errorAnswer } },
    },
  },
}

/** OpenAPI 3.1 from the very schemas that check what comes in. */
export function openApiOf(routes: readonly DocumentedRoute[], info: OpenApiInfo): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = { '/metrics': { get: METRICS } }
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return createDocument({
    openapi: '3.1.1',
    info: { ...info, version: API_VERSION },
    // Relative to where the document was read: the address that the reader knows.
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        internalToken: { type: 'http', scheme: 'bearer', description: 'INTERNAL_TOKEN of this installation' },
      },
    },
  })
}

function operationOf(route: DocumentedRoute): ZodOpenApiOperationObject {
  const { method, path, access, tag, summary, description, query, body, answer, refusals } = route
  const refused: Record<string, string> = {
    400: 'A parameter or the body is wrong; the message names it',
    ...(body ? { 413: 'The body is too large', 415: 'The body is compressed' } : {}),
    ...(access === 'internal' ? { 401: 'The internal token is missing or wrong' } : {}),
    500: 'A fault of ours; the log tells more',
    ...refusals,
  }
  const json = (schema: DocumentedRoute['answer']) => ({ content: { 'application/json': { schema } } })
  return {
    operationId: operationIdOf(method, path),
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: access === 'internal' ? [{ internalToken: [] }] : [],
    ...(query ? { requestParams: { query } } : {}),
    ...(body ? { requestBody: { required: true, ...json(body) } } : {}),
    responses: {
      '200': { description: summary, ...json(answer) },
      ...Object.fromEntries(
        Object.entries(refused).map(([status, when]) => [
          status,
          { description: `${STATUS_CODES[status]}: ${when}`, ...json(errorAnswer) },
        ]),
      ),
    },
  }
}

/** `GET /health/live` is getHealthLive. */
function operationIdOf(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
