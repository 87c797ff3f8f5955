import type { IncomingMessage, ServerResponse } from 'node:http'
import { bearerToken } from '../platform/http/bearerToken.ts'
import { clientAddress } from '../platform/http/clientAddress.ts'
import type { Handler } from '../platform/http/httpServer.ts'
import { hashRawKey } from '../platform/secrets/rawKeys.ts'
import type { GatewayDependencies } from './dependencies.ts'
import { asGatewayError, GatewayError, sendError } from './gatewayError.ts'
import { mcp } from './mcp/route.ts'
import type { RequestContext } from './requestContext.ts'
import type { GatewayRoute } from './route.ts'
import { chatCompletions } from './routes/chatCompletions.ts'
import { completions } from './routes/completions.ts'
import { embeddings } from './routes/embeddings.ts'
import { jobs } from './routes/jobs.ts'
import { models } from './routes/models.ts'
import { parseCv } from './routes/parseCv.ts'
import { parseJd } from './routes/parseJd.ts'
import { usage } from './routes/usage.ts'
import type { LiveKey } from './views/keys.ts'

const CALLS_IN_FLIGHT_MAX = 5_000

export const MOUNT = '/llm/v1'
const ROUTES = new Map<string, GatewayRoute>(
  [chatCompletions, completions, embeddings, models, usage, jobs, parseCv, parseJd, ...mcp].map((route) => [
    `${route.method} ${MOUNT}${route.path}`,
    route,
  ]),
)

/** The gateway as a thing that can be tested without a port: requests in, answers out. */
export function createGateway(deps: GatewayDependencies): Handler {
  let inFlight = 0

  async function serve(context: RequestContext, path: string): Promise<void> {
    const { request } = context
    if (inFlight > CALLS_IN_FLIGHT_MAX) {
      throw new GatewayError('unavailable', 'Too many calls are in flight. Retry with backoff.', {
        retryAfterSeconds: 1,
      })
    }
    await deps.rateLimiter.admitAddress(clientAddress(request, deps.trustedProxies))
    const route = ROUTES.get(`${request.method} ${path}`)
    if (!route) throw new GatewayError('unknownRoute', `There is no route ${request.method} ${path}.`)
    const key = authenticate(deps, request)
    if (route.scope !== null && !key.scopes.has(route.scope)) {
      throw new GatewayError('scopeDenied', `This key lacks the scope ${route.scope}.`)
    }
    await deps.rateLimiter.admitRequest(key, context.headers)
    await route.handle(deps, { ...context, key })
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '/'
    const mark = url.indexOf('?')
    const [path, query] = mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
    const callId = deps.ids.uuid()
    const context = { request, response, query, callId, headers: { 'x-request-id': callId } }
    inFlight++
    try {
      await serve(context, path)
    } catch (error) {
      await refuse(deps, context, error)
    } finally {
      // With an Idempotency-Key, a call is held under the id of its claim.
      deps.holds.callEnded(context.headers['x-request-id'])
      inFlight--
    }
  }

  deps.metrics.tellInFlight(() => inFlight)
  return (request, response) => deps.requests.add(answer(request, response))
}

/** Missing, unknown, revoked and expired keys are told the same, byte for byte. */
function authenticate({ views, clock }: GatewayDependencies, request: IncomingMessage): LiveKey {
  const raw = bearerToken(request)
  const key = raw === null ? null : views.keys.find(hashRawKey(raw), clock.now())
  if (!key) throw new GatewayError('unauthenticated', 'A valid API key is needed: Authorization: Bearer <API_KEY>.')
  return key
}

async function refuse(
  { metrics, log }: GatewayDependencies,
  { request, response, headers }: RequestContext,
  error: unknown,
): Promise<void> {
  const refusal = asGatewayError(error)
  // The one that the caller is told: with an Idempotency-Key it is that of the claim.
  const callId = headers['x-request-id']
  if (refusal !== error) log.error({ err: error, callId }, 'a request failed')
  metrics.refused(refusal.error)
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  await sendError(request, response, refusal, headers)
}
