import type { IncomingMessage } from 'node:http'
import type { Runtime } from '../../../capabilities/installation.ts'
import { DOCUMENT_BYTES_MAX } from '../../../contracts/limits.ts'
import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { jsonReply, Reply } from '../../../platform/http/answer/reply.ts'
import { UnavailableError } from '../../../platform/http/answer/unavailableError.ts'
import { type BodyReader, wholeBody } from '../../../platform/http/body/bodyReaders.ts'
import { SERVICE_JSON_VALUES_MAX } from '../../../platform/http/body/jsonScan.ts'
import { MULTIPART_OVERHEAD_BYTES_MAX } from '../../../platform/http/body/requestBody.ts'
import { clientAddress } from '../../../platform/http/limits/clientAddress.ts'
import { InFlight } from '../../../platform/http/limits/inFlight.ts'
import { anyQuery, type Envelope, type Route, type RouteInput, route } from '../../../platform/http/route.ts'
import { credentialsOf } from '../credentials.ts'
import type { ApiErrorCode } from '../graphql/apiError.ts'
import { GRAPHQL_BODY_BYTES_MAX, GRAPHQL_UNIDENTIFIED_BODY_BYTES_MAX } from '../graphql/limits/bodyLimit.ts'
import type { GraphqlLoader } from '../graphql/loadGraphql.ts'
import { type Operations, uploadedOperations } from '../graphql/uploads.ts'
import type { BackendCaller } from '../userGuard.ts'
import { graphiqlFiles } from './graphiqlFiles.ts'
import { asksForPage, graphiqlPage } from './graphiqlPage.ts'

const GRAPHQL_IN_FLIGHT_MAX = 500
const JSON_LIMITS = { valuesMax: SERVICE_JSON_VALUES_MAX }

/** `/graphql` over HTTP: GraphQL Yoga, by the GraphQL-over-HTTP and the multipart request specifications. */
export function graphqlRoutes(graphql: GraphqlLoader, { config }: Pick<Runtime, 'config'>): Route<BackendCaller>[] {
  const shared = {
    path: '/graphql',
    access: 'user',
    traced: true,
    query: anyQuery,
    envelope,
    inFlight: new InFlight(GRAPHQL_IN_FLIGHT_MAX),
  } as const
  const execute = async ({ request, body, caller: user, requestId: correlationId }: GraphqlInput) => {
    const arrival = {
      transport: 'http',
      clientAddress: clientAddress(request, config.TRUST_PROXY),
      correlationId,
      credentials: credentialsOf(request, config),
    } as const
    const { api } = await graphql.load()
    const carried = { arrival, user, ...(body && uploadIn(request, body)) }
    const answer = await api.fetch(fetchRequest(request, 'uploaded' in carried ? undefined : body), carried)
    const contentType = answer.headers.get('content-type') ?? 'text/plain'
    const bytes = Buffer.from(await answer.arrayBuffer())
    return new Reply(answer.status, contentType, bytes, { ...endToEnd(answer.headers), ...ANSWER_HEADERS })
  }
  return [
    route({
      ...shared,
      method: 'GET',
      summary: 'Executes a GraphQL query, or shows GraphiQL to a browser',
      handle: (input) =>
        asksForPage(input.request) ? graphiqlPage(input.caller) : execute({ ...input, body: undefined }),
    }),
    ...graphiqlFiles,
    route({
      ...shared,
      method: 'POST',
      summary: 'Executes a GraphQL operation',
      body: operationBytes,
      handle: execute,
    }),
  ]
}

type GraphqlInput = Pick<
  RouteInput<BackendCaller, unknown, Buffer | undefined>,
  'request' | 'body' | 'caller' | 'requestId'
>

/** An answer is for its caller alone, and never a page or a script. */
const ANSWER_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

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

const envelope: Envelope = (error) => {
  const { status, message, headers } = error
  const shown = { errors: [{ message, extensions: { code: codeOf(error) } }] }
  return jsonReply(status, shown, { ...headers, ...ANSWER_HEADERS })
}

function codeOf(error: HttpError): ApiErrorCode {
  if (error instanceof UnavailableError) return 'SERVICE_UNAVAILABLE'
  const { status } = error
  if (status === 503 || status === 429) return 'RATE_LIMITED'
  if (status === 401) return 'UNAUTHENTICATED'
  if (status === 403) return 'FORBIDDEN'
  return status < 500 ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR'
}

/** This limits the body before it is parsed. Without a valid token or session there are no files to send, and little to ask. */
const operationBytes: BodyReader<Buffer> = {
  contents: {},
  read: (request, place) => {
    if (isForgeable(request)) {
      throw new HttpError(
        400,
        'send application/json, or a file with an Authorization or Graphql-Require-Preflight header',
      )
    }
    if (isMultipart(request)) {
      if (!place.isIdentified) throw new HttpError(401, 'sign in to send files')
      return wholeBody(request, DOCUMENT_BYTES_MAX + MULTIPART_OVERHEAD_BYTES_MAX, place)
    }
    const bytesMax = place.isIdentified ? GRAPHQL_BODY_BYTES_MAX : GRAPHQL_UNIDENTIFIED_BODY_BYTES_MAX
    return wholeBody(request, bytesMax, place, JSON_LIMITS)
  },
}

function isMultipart({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data/i.test(headers['content-type'] ?? '')
}

/**
 * A page of another site can send what a form can send, without a preflight request. Browsers never add tokens on their
 * own, and the guard refuses cookies of foreign pages; such a request is refused all the same, before its body is read.
 */
function isForgeable({ headers }: IncomingMessage): boolean {
  const isForm = /^(multipart\/form-data|application\/x-www-form-urlencoded|text\/plain)/i
  const needsPreflight = headers.authorization !== undefined || headers['graphql-require-preflight'] !== undefined
  return isForm.test(headers['content-type'] ?? '') && !needsPreflight
}

function uploadIn(request: IncomingMessage, body: Buffer): { readonly uploaded?: Operations } {
  return isMultipart(request) ? { uploaded: uploadedOperations(body, request.headers['content-type'] ?? '') } : {}
}

function fetchRequest(request: IncomingMessage, body: Buffer | undefined): Request {
  const { method, url, headers } = request
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) sent.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const place = new URL(url ?? '/', 'http://backend')
  return new Request(place, { method, headers: sent, body: body ? new Uint8Array(body) : null })
}
