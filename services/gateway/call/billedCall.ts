import { SENT, type Sent } from '../../../platform/http/answer/reply.ts'
import type { RouteInput } from '../../../platform/http/route.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import type { Claim } from '../idempotency/claim.ts'
import { claimCall } from '../idempotency/claimCall.ts'
import { sendAgain } from '../idempotency/replay.ts'
import type { RequestContext } from '../requestContext.ts'

/** What a route whose calls cost has of its own. */
export type BilledCall<Body> = {
  /** As it stands on the ledger: below the mount. */
  readonly endpoint: string
  /** The bytes that a second request with the same Idempotency-Key must have too. */
  askedBytes(body: Body): Buffer
  /** Makes the call and sends its answer, which waits for the charge. */
  make(context: RequestContext, body: Body): Promise<void>
}

/** The handler of such a route. A call with an Idempotency-Key is made once; from then on its answer is sent again. */
export function billedCall<Body>(deps: GatewayDependencies, { endpoint, askedBytes, make }: BilledCall<Body>) {
  return async ({ caller: context, body }: RouteInput<RequestContext, unknown, Body>): Promise<Sent> => {
    const claimed = await claimCall(deps, context, endpoint, askedBytes(body))
    if (claimed === null) await ended(deps, make(context, body), context.callId)
    else if (claimed.kept) await sendAgain(deps, context, claimed.kept)
    else {
      const { claim } = claimed
      await ended(deps, make({ ...context, callId: claim.callId, claim }, body), claim.callId, claim)
    }
    return SENT
  }
}

/** Waits for a call to end, then ends what was reserved for it: its claim, and a hold that no charge waits for. */
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
