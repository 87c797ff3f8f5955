import type { IncomingMessage } from 'node:http'
import { DOCUMENT_BYTES_MAX } from '../../../contracts/limits.ts'
import { type BodyReader, wholeBody } from '../../platform/http/bodyReaders.ts'
import { clientAddress } from '../../platform/http/clientAddress.ts'
import { HttpError } from '../../platform/http/httpError.ts'
import { InFlight } from '../../platform/http/inFlight.ts'
import { jsonExcess, SERVICE_JSON_VALUES_MAX } from '../../platform/http/jsonScan.ts'
import { readMultipart } from '../../platform/http/multipart.ts'
import { jsonReply, Reply } from '../../platform/http/reply.ts'
import { MULTIPART_OVERHEAD_BYTES_MAX } from '../../platform/http/requestBody.ts'
import { anyQuery, type Envelope, type Route, type RouteInput, route } from '../../platform/http/route.ts'
import { UnavailableError } from '../../platform/http/unavailableError.ts'
import type { Runtime } from '../../platform/runtime.ts'
import { credentialsOf } from '../credentials.ts'
import type { ApiErrorCode } from '../graphql/apiError.ts'
import { GRAPHQL_BODY_BYTES_MAX, GRAPHQL_UNIDENTIFIED_BODY_BYTES_MAX } from '../graphql/bodyLimit.ts'
import type { GraphqlLoader } from '../graphql/loadGraphql.ts'
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
  const execute = async ({ request, body, caller: user, requestId: correlationId }: Asked) => {
    const arrival = {
      transport: 'http',
      clientAddress: clientAddress(request, config.TRUST_PROXY),
      correlationId,
      credentials: credentialsOf(request, config),
    } as const
    const { api } = await graphql.load()
    const answer = await api.fetch(fetchRequest(request, body), { arrival, user })
    const contentType = answer.headers.get('content-type') ?? 'text/plain'
    const bytes = Buffer.from(await answer.arrayBuffer())
    return new Reply(answer.status, contentType, bytes, endToEnd(answer.headers))
  }
  return [
    route({
      ...shared,
      method: 'GET',
      summary: 'Executes a GraphQL query, or shows GraphiQL to a browser',
      handle: (asked) =>
        asksForPage(asked.request) ? graphiqlPage(asked.caller) : execute({ ...asked, body: undefined }),
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

type Asked = Pick<RouteInput<BackendCaller, unknown, Buffer | undefined>, 'request' | 'body' | 'caller' | 'requestId'>

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
  return jsonReply(status, { errors: [{ message, extensions: { code: codeOf(error) } }] }, headers)
}

function codeOf(error: HttpError): ApiErrorCode {
  if (error instanceof UnavailableError) return 'SERVICE_UNAVAILABLE'
  const { status } = error
  if (status === 503 || status === 429) return 'RATE_LIMITED'
  if (status === 403) return 'FORBIDDEN'
  return status < 500 ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR'
}

/** Yoga parses the body; this limits it first. Without a valid token there are no files to send, and little to ask. */
const operationBytes: BodyReader<Buffer> = {
  contents: {},
  read: (request, place) => {
    if (isForgeable(request)) {
      throw new HttpError(
        400,
        'send application/json, or a file with an Authorization or Graphql-Require-Preflight header',
      )
    }
    const json = isMultipart(request) ? undefined : JSON_LIMITS
    if (!place.isIdentified) return wholeBody(request, GRAPHQL_UNIDENTIFIED_BODY_BYTES_MAX, place, json)
    if (isMultipart(request)) return wholeBody(request, DOCUMENT_BYTES_MAX + MULTIPART_OVERHEAD_BYTES_MAX, place)
    return wholeBody(request, GRAPHQL_BODY_BYTES_MAX, place, json)
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

/** Files of one request, beside the operation and the list of where they belong. */
const GRAPHQL_FILES_MAX = 10

/** The fields of a multipart body. Those that hold JSON have the limits of a JSON body. */
function formOf(body: Buffer, contentType: string): FormData {
  const parts = readMultipart(body, contentType, GRAPHQL_FILES_MAX + 2)
  if (parts === 'unreadable') throw new HttpError(400, 'the multipart body cannot be read')
  if (parts === 'too many parts') throw new HttpError(400, `a request has at most ${GRAPHQL_FILES_MAX} files`)
  const form = new FormData()
  for (const { name, filename, contentType: type, bytes } of parts) {
    if (filename !== null) form.append(name, new File([new Uint8Array(bytes)], filename, { type }))
    else if (bytes.length <= GRAPHQL_BODY_BYTES_MAX && !jsonExcess(bytes, { valuesMax: SERVICE_JSON_VALUES_MAX })) {
      form.append(name, bytes.toString())
    } else throw new HttpError(400, `the field ${JSON.stringify(name.slice(0, 100))} is too large or too complex`)
  }
  return form
}

function fetchRequest(request: IncomingMessage, body: Buffer | undefined): Request {
  const { method, url, headers } = request
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) sent.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const place = new URL(url ?? '/', 'http://backend')
  if (body === undefined || !isMultipart(request)) {
    return new Request(place, { method, headers: sent, body: body ? new Uint8Array(body) : null })
  }
  const form = formOf(body, headers['content-type'] ?? '')
  return Object.assign(new Request(place, { method, headers: sent }), { formData: async () => form })
}
