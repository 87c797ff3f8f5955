import type { KeyedExchange } from '../exchange.ts'
import type { GatewayParts } from '../parts.ts'
import { madeOnce } from './madeOnce.ts'
import { sendAgain } from './replay.ts'

/** A call over HTTP that costs: see madeOnce. */
export function answeredOnce(
  parts: GatewayParts,
  exchange: KeyedExchange,
  path: string,
  asked: Buffer,
  make: (exchange: KeyedExchange) => Promise<void>,
): Promise<void> {
  const { request, response: caller, key, headers } = exchange
  return madeOnce(
    parts,
    { request, key, headers, caller, path, asked },
    {
      make: (claim) => make(claim ? { ...exchange, callId: claim.callId, claim } : exchange),
      repeat: (kept) => sendAgain(parts, exchange, kept),
    },
  )
}
