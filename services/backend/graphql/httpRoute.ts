import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DOCUMENT_BYTES_MAX } from '../../../contracts/limits.ts'
import { sendBytes, sendJson } from '../../platform/http/answers.ts'
import { bearerToken } from '../../platform/http/bearerToken.ts'
import { clientAddress } from '../../platform/http/clientAddress.ts'
import { discardBody, MULTIPART_OVERHEAD_BYTES_MAX, readBody } from '../../platform/http/requestBody.ts'
import type { ServiceRoute } from '../../platform/http/serviceRoutes.ts'
import type { Runtime } from '../../platform/runtime.ts'
import type { GraphqlApi } from './api.ts'
import { type ApiErrorCode, apiError } from './apiError.ts'
import { GRAPHQL_BODY_BYTES_MAX } from './protections.ts'

/** Requests to GraphQL that are under way; the next are refused. */
const GRAPHQL_REQUESTS_MAX = 500

/** `/graphql` over HTTP: by the GraphQL-over-HTTP specification, with files by the multipart one. */
export function graphqlRoute(api: GraphqlApi, { config }: Runtime): ServiceRoute {
  let underWay = 0
  return {
    access: 'public',
    handle: async (request, response) => {
      if (underWay >= GRAPHQL_REQUESTS_MAX) {
        return refuse(request, response, 503, 'RATE_LIMITED', 'too many requests are under way; try again in a moment')
      }
      underWay++
      try {
        await answer(api, request, response, clientAddress(request, config.TRUST_PROXY))
      } finally {
        underWay--
      }
    },
  }
}

async function answer(api: GraphqlApi, request: IncomingMessage, response: ServerResponse, address: string) {
  if (isForgeable(request)) {
    const message = 'send application/json, or a file with an Authorization or Graphql-Require-Preflight header'
    return refuse(request, response, 400, 'BAD_USER_INPUT', message)
  }
  const body = request.method === 'POST' ? await readBody(request, bytesMax(request)) : null
  if (typeof body === 'string') {
    const [status, message] = BODY_FAULTS[body]
    return refuse(request, response, status, 'BAD_USER_INPUT', message)
  }
  const correlationId = randomUUID()
  const arrival = {
    transport: 'http',
    clientAddress: address,
    correlationId,
    token: bearerToken(request),
  } as const
  const answered = await api.fetch(asFetchRequest(request, body), { arrival })
  const headers = { ...Object.fromEntries(answered.headers), 'x-request-id': correlationId }
  const contentType = answered.headers.get('content-type') ?? 'text/plain'
  sendBytes(response, answered.status, contentType, Buffer.from(await answered.arrayBuffer()), headers)
}

const BODY_FAULTS = {
  'too large': [413, 'the body is too large'],
  encoded: [415, 'a compressed body is not taken; send it as it is, without content-encoding'],
  aborted: [400, 'the body ended before it was complete'],
} as const

function isMultipart({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data/i.test(headers['content-type'] ?? '')
}

function bytesMax(request: IncomingMessage): number {
  return isMultipart(request) ? DOCUMENT_BYTES_MAX + MULTIPART_OVERHEAD_BYTES_MAX : GRAPHQL_BODY_BYTES_MAX
}

/**
 * A page of another site can send what a form can without asking first. Tokens are never sent by a browser on its own,
 * so nothing could be done in somebody's name; refused all the same, before anything is read.
 */
function isForgeable(request: IncomingMessage): boolean {
  const { headers, method } = request
  const isForm = /^(multipart\/form-data|application\/x-www-form-urlencoded|text\/plain)/i
  const needsAsking = headers.authorization !== undefined || headers['graphql-require-preflight'] !== undefined
  return method === 'POST' && isForm.test(headers['content-type'] ?? '') && !needsAsking
}

function asFetchRequest({ method, url, headers }: IncomingMessage, body: Buffer | null): Request {
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) sent.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return new Request(new URL(url ?? '/', 'http://backend'), {
    method,
    headers: sent,
    body: body && new Uint8Array(body),
  })
}

async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  code: ApiErrorCode,
  message: string,
) {
  const passed = discardBody(request)
  sendJson(response, status, { errors: [apiError(code, message)] }, { connection: 'close' })
  if (!(await passed)) request.destroy()
}
