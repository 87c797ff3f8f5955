import type { IncomingMessage, ServerResponse } from 'node:http'
import { bearerToken, isSameToken } from './bearerToken.ts'
import { HttpError } from './httpError.ts'
import type { Access, Route } from './route.ts'

/** Lets a request to a route pass, with what it found out about the caller, or throws the refusal. */
export type Guard<Caller> = (
  request: IncomingMessage,
  response: ServerResponse,
  route: Route<Caller>,
) => Caller | Promise<Caller>

export type Guards<Caller> = Readonly<Partial<Record<Access, Guard<Caller>>>>

/** For services whose routes are public or internal. */
export function serviceGuards(internalToken: string): Required<Pick<Guards<null>, 'public' | 'internal'>> {
  return { public: () => null, internal: internalGuard(internalToken) }
}

export function internalGuard(internalToken: string): Guard<null> {
  return (request) => {
    if (isSameToken(bearerToken(request), internalToken)) return null
    throw new HttpError(401, 'this route needs the internal token', { 'www-authenticate': 'Bearer' })
  }
}
