import type { IncomingMessage } from 'node:http'
import { LIMITS } from '../../../contracts/limits.ts'
import { invalidRequest } from '../gatewayError.ts'

const VISIBLE_ASCII = /^[!-~]+$/

/** What the caller names its call by, or null: most calls have no such name. */
export function idempotencyKeyOf({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  // One that was sent twice comes as a list with a space in it.
  if (typeof key === 'string' && key.length <= LIMITS.idempotencyKeyCharsMax && VISIBLE_ASCII.test(key)) return key
  throw invalidRequest(
    `The header 'Idempotency-Key' must be 1 to ${LIMITS.idempotencyKeyCharsMax} visible ASCII characters.`,
  )
}
