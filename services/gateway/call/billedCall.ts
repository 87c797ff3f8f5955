import type { IncomingMessage } from 'node:http'
import { SENT, type Sent } from '../../../platform/http/answer/reply.ts'
import type { RouteInput } from '../../../platform/http/route.ts'
import { setRequestId } from '../answerHeaders.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { invalidRequest } from '../gatewayError.ts'
import type { Claim } from '../idempotency/claim.ts'
import type { KeptAnswer } from '../idempotency/keptAnswer.ts'
import { bookInherited, sendAgain } from '../idempotency/replay.ts'
import { keyIn } from '../keyGuard.ts'
import type { RequestContext } from '../requestContext.ts'

const IDEMPOTENCY_KEY_CHARS_MAX = 255
const VISIBLE_ASCII = /^[!-~]+$/

/** The parts in which billed routes differ. */
export type BilledCall<Body> = {
  /** The path on the ledger, without the mount. */
  readonly endpoint: string
  /** The bytes that a second request with the same Idempotency-Key must have too. */
  comparedBytes(body: Body): Buffer
  /** Makes the call and sends its answer, which waits for the charge. */
  make(context: RequestContext, body: Body): Promise<void>
}

/** The handler of a billed route. A call with an Idempotency-Key is made once; repeats get the stored answer. */
export function billedCall<Body>(deps: GatewayDependencies, { endpoint, comparedBytes, make }: BilledCall<Body>) {
  return async ({ caller: context, body }: RouteInput<RequestContext, unknown, Body>): Promise<Sent> => {
    const claimed = await claimCall(deps, context, endpoint, comparedBytes(body))
    if (claimed === null) await ended(deps, make(context, body), context.callId)
    else if (claimed.kept) await sendAgain(deps, context, claimed.kept)
    else {
      const { claim } = claimed
      await ended(deps, make({ ...context, callId: claim.callId, claim }, body), claim.callId, claim)
    }
    return SENT
  }
}

/** Waits for a call to end, then releases its claim, and its hold unless a charge is pending. */
export async function ended<Answer>(
  { holds, callsInFlight }: Pick<GatewayDependencies, 'holds' | 'callsInFlight'>,
  call: Promise<Answer>,
  callId: string,
  claim?: Claim,
): Promise<Answer> {
  try {
    return await call
  } finally {
    await claim?.end()
    holds.callEnded(callId)
    callsInFlight.end(callId)
  }
}

/** The right to make the call, or the stored answer of the first call with this key. */
type ClaimedCall = { readonly claim: Claim; readonly kept: null } | { readonly kept: KeptAnswer }

/**
 * Claims the call's Idempotency-Key, so that the call is made at most once. Returns null for a call without the header,
 * without asking the database. The caller of this function ends the claim.
 */
export function claimCall(
  deps: GatewayDependencies,
  context: RequestContext,
  path: string,
  /** The bytes of the request. The same key with different bytes is refused. */
  body: Buffer,
): Promise<ClaimedCall> | null {
  const name = idempotencyKeyOf(context.request)
  if (name === null) return null
  const { key } = context
  return claimNamed(deps, context, [key.companyId, key.keyId, path, name], body)
}

async function claimNamed(
  deps: GatewayDependencies,
  { request, response }: RequestContext,
  scope: readonly string[],
  body: Buffer,
): Promise<ClaimedCall> {
  // Routes that accept the key only in Authorization have it there.
  const rawKey = keyIn(request, 'x-api-key') ?? ''
  const { claim, kept } = await deps.claims.take({ rawKey, scope, body, caller: response })
  if (kept) {
    if (claim) await bookInherited(deps, claim, kept.charge)
    return { kept }
  }
  setRequestId(response, claim.callId)
  return { claim, kept: null }
}

function idempotencyKeyOf({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  // Node joins a repeated header with a comma and a space, which VISIBLE_ASCII refuses.
  if (typeof key === 'string' && key.length <= IDEMPOTENCY_KEY_CHARS_MAX && VISIBLE_ASCII.test(key)) return key
  throw invalidRequest(
    `The header 'Idempotency-Key' must be 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} visible ASCII characters.`,
  )
}
