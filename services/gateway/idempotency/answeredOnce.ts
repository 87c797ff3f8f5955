import { bearerToken } from '../../platform/http/bearerToken.ts'
import type { KeyedExchange } from '../exchange.ts'
import type { GatewayParts } from '../parts.ts'
import { idempotencyKeyOf } from './idempotencyKey.ts'
import { bookInherited, replay } from './replay.ts'

/**
 * A call that costs, made at most once under its Idempotency-Key: the first time it is made, every other time its answer
 * is sent again. Without the header it is simply made, and no database is asked.
 */
export async function answeredOnce(
  parts: GatewayParts,
  exchange: KeyedExchange,
  endpoint: string,
  body: Buffer,
  make: (exchange: KeyedExchange) => Promise<void>,
): Promise<void> {
  const { request, response: caller, key, headers } = exchange
  const name = idempotencyKeyOf(request)
  if (name === null) return make(exchange)
  const rawKey = bearerToken(request) ?? ''
  const scope = [key.companyId, key.keyId, endpoint, name]
  const { claim, kept } = await parts.claims.take({ rawKey, scope, body, caller })
  if (kept) {
    if (claim) await bookInherited(parts, claim, kept.charge)
    return replay(parts, exchange, kept)
  }
  headers['x-request-id'] = claim.callId
  try {
    await make({ ...exchange, callId: claim.callId, claim })
  } finally {
    await claim.end()
  }
}
