import type { AttackedRoute } from './routes.ts'
import type { JsonSchema } from './undescribedBodies.ts'
import { headOf, lengthOf, type Piece, type WireCase } from './wireCase.ts'

type Headers = Readonly<Record<string, string | number | null>>

/** The credentials that the route requires. */
export function proofOf({ service, access, path }: AttackedRoute): Headers {
  if (path === '/payments/webhook') return { 'stripe-signature': '{{signature}}' }
  if (access === 'internal') return { authorization: 'Bearer {{internal}}' }
  if (access === 'key') return { authorization: service === 'sandbox' ? 'Bearer {{payment}}' : 'Bearer {{key}}' }
  return path === '/graphql' ? { authorization: 'Bearer {{admin}}' } : {}
}

export type Changes = {
  readonly name: string
  readonly method?: string
  readonly path?: string
  readonly version?: string
  readonly headers?: Headers
  /** Without one, the request has a valid body if the route takes one. */
  readonly body?: readonly Piece[]
  readonly ending?: WireCase['ending']
  readonly mayHang?: boolean
  readonly status?: WireCase['status']
}

/** A valid request to the route, with these changes. */
export function requestTo(route: AttackedRoute, changes: Changes): WireCase {
  const [type, schema] = Object.entries(route.bodies)[0] ?? []
  const body = changes.body ?? (type && schema && route.method !== 'GET' ? [validBody(type, schema)] : [])
  const framing: Headers =
    body.length > 0 || route.method === 'POST' ? { 'content-length': lengthOf(body), 'content-type': type ?? null } : {}
  const { method = route.method, path = route.path, version } = changes
  // Without both, the library of the MCP tools reads no body.
  const accept: Headers = path.endsWith('/mcp') ? { accept: 'application/json, text/event-stream' } : {}
  const headers = { ...proofOf(route), ...framing, ...accept, ...changes.headers }
  return {
    name: `${route.name}: ${changes.name}`,
    service: route.service,
    head: headOf(method, path, { headers, ...(version ? { version } : {}) }),
    body,
    ...(changes.ending ? { ending: changes.ending } : {}),
    ...(changes.mayHang ? { mayHang: true } : {}),
    ...(changes.status ? { status: changes.status } : {}),
    // A body that happens to be accepted may ask for a model that has no provider here.
    ...(route.service === 'gateway' && route.method === 'POST' ? { mayFail: true } : {}),
  }
}

export const BOUNDARY = 'boundary-of-the-attack'

export function validBody(type: string, schema: JsonSchema): string {
  if (type === 'application/x-www-form-urlencoded') return 'amount=1000&currency=eur&metadata[a]=b'
  if (type === 'multipart/form-data') return multipart('cv.txt', 'text/plain', 'Ada Example, engineer')
  if (type === 'text/plain') return 'Ada Example, engineer'
  return JSON.stringify(exampleOf(schema))
}

export function multipart(name: string, type: string, text: string): string {
  const part = `content-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${type}`
  return `--${BOUNDARY}\r\n${part}\r\n\r\n${text}\r\n--${BOUNDARY}--\r\n`
}

/** A small document that the schema allows. */
export function exampleOf(schema: JsonSchema): unknown {
  if ('example' in schema) return schema.example
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return exampleOf(first)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object': {
      const required = schema.required ?? []
      return Object.fromEntries(required.map((name) => [name, exampleOf(schema.properties?.[name] ?? {})]))
    }
    case 'array':
      return [exampleOf(schema.items ?? {})]
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return stringOf(schema.format)
  }
}

function stringOf(format: string | undefined): string {
  if (format === 'uuid') return '6f1c2e1a-0b5f-4d0e-9d3a-0a8b4f0c7d11'
  if (format === 'date-time') return '2026-03-01T12:00:00.000Z'
  if (format === 'email') return 'ada@example.com'
  return 'text'
}
