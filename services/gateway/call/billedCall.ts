import type { IncomingMessage } from 'node:http'
import type { GatewayDependencies } from '../dependencies.ts'
import { claimCall } from '../idempotency/claimCall.ts'
import { sendAgain } from '../idempotency/replay.ts'
import type { AuthenticatedContext } from '../requestContext.ts'

/** What a route whose calls cost has of its own. */
export type BilledCall<Sent> = {
  readonly path: string
  /** The body, and the bytes that another request with the same Idempotency-Key must have too. */
  read(request: IncomingMessage): Promise<{ readonly sent: Sent; readonly asked: Buffer }>
  /** Makes the call and sends its answer, which waits for the charge. */
  make(deps: GatewayDependencies, context: AuthenticatedContext, sent: Sent): Promise<void>
}

/** The handler of such a route: a call with an Idempotency-Key is made once and its answer sent again from then on. */
export function billedCall<Sent>({ path, read, make }: BilledCall<Sent>) {
  return async (deps: GatewayDependencies, context: AuthenticatedContext): Promise<void> => {
    const { request, response, key, headers } = context
    const { sent, asked } = await read(request)
    const claimed = await claimCall(deps, { request, key, headers, caller: response, path, asked })
    if (claimed === null) return make(deps, context, sent)
    if (claimed.kept) return sendAgain(deps, context, claimed.kept)
    const { claim } = claimed
    return claim.during(make(deps, { ...context, callId: claim.callId, claim }, sent))
  }
}
