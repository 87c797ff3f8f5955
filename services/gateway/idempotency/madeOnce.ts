import { bearerToken } from '../../platform/http/bearerToken.ts'
import type { Caller } from '../call/caller.ts'
import type { KeyedExchange } from '../exchange.ts'
import type { GatewayParts } from '../parts.ts'
import type { Claim } from './claim.ts'
import { idempotencyKeyOf } from './idempotencyKey.ts'
import type { KeptAnswer } from './keptAnswer.ts'
import { bookInherited } from './replay.ts'

/** A call that costs, as it may be sent again. */
export type RepeatableCall = Pick<KeyedExchange, 'request' | 'key' | 'headers'> & {
  readonly caller: Caller
  readonly path: string
  /** What the call asks for: another one under the same name is refused. */
  readonly asked: Buffer
}

/** How a call is answered: by making it, under a claim where it has a name, or as the first one was. */
export type Answering<Answer> = {
  make(claim?: Claim): Promise<Answer>
  repeat(kept: KeptAnswer): Answer | Promise<Answer>
}

/**
 * Makes a call at most once under its Idempotency-Key: the first time it is made, every other time its answer is told
 * again. Without the header it is simply made, and no database is asked.
 */
export async function madeOnce<Answer>(
  parts: GatewayParts,
  { request, key, headers, caller, path, asked }: RepeatableCall,
  { make, repeat }: Answering<Answer>,
): Promise<Answer> {
  const name = idempotencyKeyOf(request)
  if (name === null) return make()
  const rawKey = bearerToken(request) ?? ''
  const scope = [key.companyId, key.keyId, path, name]
  const { claim, kept } = await parts.claims.take({ rawKey, scope, body: asked, caller })
  if (kept) {
    if (claim) await bookInherited(parts, claim, kept.charge)
    return repeat(kept)
  }
  headers['x-request-id'] = claim.callId
  try {
    return await make(claim)
  } finally {
    await claim.end()
  }
}
