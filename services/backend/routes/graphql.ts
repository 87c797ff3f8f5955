import type { IncomingMessage } from 'node:http'
import { DOCUMENT_BYTES_MAX } from '../../../contracts/limits.ts'
import { bearerToken } from '../../platform/http/bearerToken.ts'
import { type BodyReader, wholeBody } from '../../platform/http/bodyReaders.ts'
import { clientAddress } from '../../platform/http/clientAddress.ts'
import { HttpError } from '../../platform/http/httpError.ts'
import { InFlight } from '../../platform/http/inFlight.ts'
import { SERVICE_JSON_VALUES_MAX } from '../../platform/http/jsonScan.ts'
import { jsonReply, Reply } from '../../platform/http/reply.ts'
import { MULTIPART_OVERHEAD_BYTES_MAX } from '../../platform/http/requestBody.ts'
import { anyQuery, type Envelope, type Route, route } from '../../platform/http/route.ts'
import type { Runtime } from '../../platform/runtime.ts'
import type { ApiErrorCode } from '../graphql/apiError.ts'
import { GRAPHQL_BODY_BYTES_MAX } from '../graphql/bodyLimit.ts'
import type { GraphqlLoader } from '../graphql/loadGraphql.ts'

const GRAPHQL_IN_FLIGHT_MAX = 500

/** `/graphql` over HTTP: GraphQL Yoga, by the GraphQL-over-HTTP and the multipart request specifications. */
export function graphqlRoutes(graphql: GraphqlLoader, { config }: Pick<Runtime, 'config'>): Route[] {
  const shared = {
    path: '/graphql',
    access: 'public',
    query: anyQuery,
    envelope,
    inFlight: new InFlight(GRAPHQL_IN_FLIGHT_MAX),
  } as const
  const execute = async (request: IncomingMessage, body: Buffer | undefined, correlationId: string) => {
    const arrival = {
      transport: 'http',
      clientAddress: clientAddress(request, config.TRUST_PROXY),
      correlationId,
      token: bearerToken(request),
    } as const
    const { api } = await graphql.load()
    const answer = await api.fetch(fetchRequest(request, body), { arrival })
    const contentType = answer.headers.get('content-type') ?? 'text/plain'
    const bytes = Buffer.from(await answer.arrayBuffer())
    return new Reply(answer.status, contentType, bytes, endToEnd(answer.headers))
  }
  return [
    route({
      ...shared,
      method: 'GET',
      summary: 'Executes a GraphQL query',
      handle: ({ request, requestId }) => execute(request, undefined, requestId),
    }),
    route({
      ...shared,
      method: 'POST',
      summary: 'Executes a GraphQL operation',
      body: operationBytes,
      handle: ({ request, body, requestId }) => execute(request, body, requestId),
    }),
  ]
}

/** Headers about one connection, which Yoga writes for a stream. The whole answer is sent here, over another connection. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function endToEnd(headers: Headers): Record<string, string> {
  const lowercase = [...headers].map(([name, value]) => [name.toLowerCase(), value] as const)
  return Object.fromEntries(lowercase.filter(([name]) => !HOP_BY_HOP.has(name)))
}

const envelope: Envelope = ({ status, message, headers }) =>
  jsonReply(status, { errors: [{ message, extensions: { code: codeOf(status) } }] }, headers)

function codeOf(status: number): ApiErrorCode {
  if (status === 503) return 'RATE_LIMITED'
  return status < 500 ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR'
}

/** Yoga parses the body; this limits it first. */
const operationBytes: BodyReader<Buffer> = {
  contents: {},
  read: (request) => {
    if (isForgeable(request)) {
      throw new HttpError(
        400,
        'send application/json, or a file with an Authorization or Graphql-Require-Preflight header',
      )
    }
    if (isMultipart(request)) return wholeBody(request, DOCUMENT_BYTES_MAX + MULTIPART_OVERHEAD_BYTES_MAX)
    return wholeBody(request, GRAPHQL_BODY_BYTES_MAX, { valuesMax: SERVICE_JSON_VALUES_MAX })
  },
}

function isMultipart({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data/i.test(headers['content-type'] ?? '')
}

/**
 * A page of another site can send what a form can send, without a preflight request. Browsers never add tokens on their
 * own, so such a request could do nothing in the name of a user; it is refused all the same, before its body is read.
 */
function isForgeable({ headers }: IncomingMessage): boolean {
  const isForm = /^(multipart\/form-data|application\/x-www-form-urlencoded|text\/plain)/i
  const needsPreflight = headers.authorization !== undefined || headers['graphql-require-preflight'] !== undefined
  return isForm.test(headers['content-type'] ?? '') && !needsPreflight
}

function fetchRequest({ method, url, headers }: IncomingMessage, body: Buffer | undefined): Request {
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) sent.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return new Request(new URL(url ?? '/', 'http://backend'), {
    method,
    headers: sent,
    body: body ? new Uint8Array(body) : null,
  })
}
