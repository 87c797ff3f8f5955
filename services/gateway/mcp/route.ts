import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { sendBytes } from '../../platform/http/answers.ts'
import { parseJson } from '../../platform/http/parseJson.ts'
import { requireBody } from '../call/requireBody.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { GatewayError } from '../gatewayError.ts'
import type { AuthenticatedContext } from '../requestContext.ts'
import type { GatewayRoute } from '../route.ts'
import { isRebound } from './rebinding.ts'
import { MCP_PATH, toolServer } from './toolServer.ts'

/** The tools over Streamable HTTP, without sessions. There is nothing to listen to or to end: GET and DELETE say so. */
export const mcp: readonly GatewayRoute[] = (['POST', 'GET', 'DELETE'] as const).map((method) => ({
  method,
  path: MCP_PATH,
  scope: null,
  handle: answer,
}))

async function answer(deps: GatewayDependencies, context: AuthenticatedContext): Promise<void> {
  const { request, response, key, callId, headers } = context
  if (isRebound(request, deps.trustedProxies)) {
    throw new GatewayError('originDenied', 'The Host or Origin of this request does not belong to this gateway.')
  }
  if (request.method !== 'POST') {
    headers.allow = 'POST'
    return sendRpc(context, 405, rpcError(-32000, 'Only POST is answered here: there are no sessions.'))
  }
  const message = parseJson(await requireBody(request))
  if (message === undefined) {
    return sendRpc(context, 400, rpcError(-32700, 'Parse error: the body is not JSON.'))
  }
  // Each message of a batch would be a call that no limit counts.
  if (Array.isArray(message)) {
    return sendRpc(context, 400, rpcError(-32600, 'Invalid request: batches are not taken; send one message.'))
  }
  const left = new AbortController()
  response.once('close', () => left.abort())
  const server = toolServer(deps, { request, key, callId, headers, left: left.signal })
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  })
  await server.connect(transport)
  try {
    const answered = await transport.handleRequest(webRequest(context), { parsedBody: message })
    const bytes = Buffer.from(await answered.arrayBuffer())
    sendBytes(response, answered.status, answered.headers.get('content-type') ?? 'application/json', bytes, headers)
  } finally {
    await server.close()
  }
}

/** What the transport looks at: method and headers. The body is read already, within our own limit. */
function webRequest({ request }: AuthenticatedContext): Request {
  const headers = new Headers()
  for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'last-event-id', 'mcp-session-id']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Request('http://gateway/mcp', { method: 'POST', headers })
}

function rpcError(code: number, message: string) {
  return { jsonrpc: '2.0', error: { code, message }, id: null }
}

function sendRpc({ response, headers }: AuthenticatedContext, status: number, body: object): void {
  sendBytes(response, status, 'application/json', Buffer.from(JSON.stringify(body)), headers)
}
