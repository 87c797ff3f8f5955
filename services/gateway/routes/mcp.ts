import { Reply } from '../../../platform/http/answer/reply.ts'
import { wholeBody } from '../../../platform/http/body/bodyReaders.ts'
import { SERVICE_JSON_VALUES_MAX } from '../../../platform/http/body/jsonScan.ts'
import { parseJson } from '../../../platform/http/body/parseJson.ts'
import type { RequestPlace } from '../../../platform/http/limits/requestPlaces.ts'
import { anyQuery, type Route, route } from '../../../platform/http/route.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { GatewayError } from '../gatewayError.ts'
import { loadToolServer } from '../mcp/loadToolServer.ts'
import { isRebound } from '../mcp/rebinding.ts'
import type { RequestContext } from '../requestContext.ts'
import { MCP_PATH, MOUNT } from './mount.ts'

/**
 * Smaller than the body of a route: a message is parsed, checked and serialised several times on its way through the
 * protocol, where the body of a route is forwarded as bytes.
 */
export const MCP_BODY_BYTES_MAX = 2 * 1024 * 1024

/**
 * The tools over Streamable HTTP, without sessions: there is nothing to listen to or to end, and GET and DELETE say so.
 * Any key may call; each tool checks its own scope. The tools describe themselves, so the document leaves this out.
 */
export const mcp = (['POST', 'GET', 'DELETE'] as const).map(
  (method) =>
    (deps: GatewayDependencies): Route<RequestContext> =>
      route({
        method,
        path: MOUNT + MCP_PATH,
        access: 'key',
        summary: 'The gateway as MCP tools',
        query: anyQuery,
        handle: ({ caller, place }: { caller: RequestContext; place: RequestPlace }) => answer(deps, caller, place),
      }),
)

async function answer(deps: GatewayDependencies, context: RequestContext, place: RequestPlace): Promise<Reply> {
  const { request } = context
  if (isRebound(request, deps.trustedProxies)) {
    throw new GatewayError('originDenied', 'The Host or Origin of this request does not belong to this gateway.')
  }
  if (request.method !== 'POST') {
    return rpcError(405, -32000, 'Only POST is supported: there are no sessions.', { allow: 'POST' })
  }
  const body = await wholeBody(request, MCP_BODY_BYTES_MAX, place, { valuesMax: SERVICE_JSON_VALUES_MAX })
  const message = parseJson(body)
  if (message === undefined) return rpcError(400, -32700, 'Parse error: the body is not JSON.')
  // Each message of a batch would be a call that no limit counts.
  if (Array.isArray(message)) {
    return rpcError(400, -32600, 'Invalid request: batches are not supported; send one message.')
  }
  const { openToolServer } = await loadToolServer()
  const { server, transport } = await openToolServer(deps, context)
  try {
    const answered = await transport.handleRequest(webRequest(context), { parsedBody: message })
    const bytes = Buffer.from(await answered.arrayBuffer())
    return new Reply(answered.status, answered.headers.get('content-type') ?? RPC_TYPE, bytes)
  } finally {
    await server.close()
  }
}

/** The transport reads the method and these headers. The body is read already, within our own limit. */
function webRequest({ request }: RequestContext): Request {
  const headers = new Headers()
  for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'last-event-id', 'mcp-session-id']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Request('http://gateway/mcp', { method: 'POST', headers })
}

const RPC_TYPE = 'application/json'

function rpcError(status: number, code: number, message: string, headers: Record<string, string> = {}): Reply {
  return new Reply(status, RPC_TYPE, JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }), headers)
}
