import type { IncomingMessage, ServerResponse } from 'node:http'
import { isUsageLabel, USAGE_LABEL_RULE } from '../../contracts/usageLabel.ts'
import { bearerToken } from '../../platform/http/bearerToken.ts'
import type { Guard } from '../../platform/http/guards.ts'
import { hashRawKey } from '../../platform/secrets/rawKeys.ts'
import { requestId } from './answerHeaders.ts'
import { checkCanPay } from './call/admission.ts'
import { traceOf } from './call/callTrace.ts'
import type { GatewayDependencies } from './dependencies.ts'
import { GatewayError, invalidRequest } from './gatewayError.ts'
import { SMALL_JSON_BYTES_MAX } from './largeJson/largeJson.ts'
import type { RequestContext } from './requestContext.ts'
import type { LiveKey } from './views/keys.ts'

/**
 * The checks of every route that needs an API key, in this order: the key, its scope, its requests per minute. A large
 * body is read only for a company that can pay for the call.
 */
export function keyGuard(deps: GatewayDependencies): Guard<RequestContext> {
  return async (request, response, { scope, keyHeader }) => {
    const raw = keyIn(request, keyHeader)
    const key = knownKey(deps, raw) ?? (await newKey(deps, raw))
    if (scope !== undefined && !key.scopes.has(scope)) {
      throw new GatewayError('scopeDenied', `This key lacks the scope ${scope}.`)
    }
    await deps.rateLimiter.admitRequest(key, response)
    if (scope?.startsWith('inference:') && Number(request.headers['content-length']) > SMALL_JSON_BYTES_MAX) {
      await checkCanPay(deps, key)
    }
    const label = usageLabelOf(request, key.label)
    const callId = requestId(response)
    const trace = deps.tracing === null ? undefined : traceOf(request)
    trace?.identified(callId, key.companyId, key.keyId)
    const caller = { request, response, key, label, callId, beganAtMs: beganAtMs(response), trace }
    return { caller, holder: key.companyId }
  }
}

/** The raw key of a request. Where another header may carry it, Authorization wins. */
export function keyIn(request: IncomingMessage, header?: string): string | null {
  if (header === undefined || request.headers.authorization !== undefined) return bearerToken(request)
  const key = request.headers[header]
  return typeof key === 'string' ? key : null
}

function knownKey({ views, clock }: GatewayDependencies, raw: string | null): LiveKey | null {
  return raw === null ? null : views.keys.find(hashRawKey(raw), clock.now())
}

/**
 * A key that was just minted may not be known here yet. Missing, unknown, revoked and expired keys get the same answer,
 * byte for byte.
 */
async function newKey({ newKeys }: GatewayDependencies, raw: string | null): Promise<LiveKey> {
  const key = raw !== null && newKeys.isNew(raw) ? await newKeys.find(hashRawKey(raw)) : null
  if (!key) {
    throw new GatewayError('unauthenticated', 'A valid API key is required: Authorization: Bearer <API_KEY>.')
  }
  return key
}

const BEGAN = Symbol('began at')
type Response = ServerResponse & { [BEGAN]?: number }

/** Stores with the response when the request head was read, on the monotonic clock. */
export function markBegan(response: Response, ms: number): void {
  response[BEGAN] = ms
}

function beganAtMs(response: Response): number {
  const ms = response[BEGAN]
  if (ms === undefined) throw new Error('the beginning of the request was not marked')
  return ms
}

/** The label of a request: its own, or that of its key. */
function usageLabelOf({ headers }: Pick<IncomingMessage, 'headers'>, ofKey: string | null): string | null {
  const label = headers['x-usage-label']
  if (label === undefined) return ofKey
  if (typeof label === 'string' && isUsageLabel(label)) return label
  throw invalidRequest(`The header 'x-usage-label' must be ${USAGE_LABEL_RULE}.`)
}
