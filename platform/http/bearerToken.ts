import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The token of `Authorization: Bearer <token>`; null if the header is missing or has another form. */
export function bearerToken(request: IncomingMessage): string | null {
  return tokenIn(request.headers.authorization ?? '')
}

/** The token in the value of an Authorization header. */
export function tokenIn(authorization: string): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null
}

/** Compares in constant time. */
export function isSameToken(given: string | null, expected: string): boolean {
  return given !== null && timingSafeEqual(digest(given), digest(expected))
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
