import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What stands behind "Bearer " in the Authorization header; null where it has another form. */
export function bearerToken(request: IncomingMessage): string | null {
  return tokenIn(request.headers.authorization ?? '')
}

/** The same of the header's text. */
export function tokenIn(authorization: string): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null
}

/** Compares in a time that does not depend on where the two differ. */
export function isSameToken(given: string | null, expected: string): boolean {
  return given !== null && timingSafeEqual(digest(given), digest(expected))
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
