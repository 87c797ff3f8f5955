import type { IncomingMessage } from 'node:http'
import { invalidRequest } from '../gatewayError.ts'

const IDEMPOTENCY_KEY_CHARS_MAX = 255

const VISIBLE_ASCII = /^[!-~]+$/

/** What the caller names its call by, or null: most calls have no such name. */
export function idempotencyKeyOf({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  // One that was sent twice comes as a list with a space in it.
  if (typeof key === 'string' && key.length <= IDEMPOTENCY_KEY_CHARS_MAX && VISIBLE_ASCII.test(key)) return key
  throw invalidRequest(
    `The header 'Idempotency-Key' must be 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} visible ASCII characters.`,
  )
}
