import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError } from './answer/httpError.ts'
import { bearerToken, isSameToken } from './bearerToken.ts'
import type { Access, Route } from './route.ts'

/** What a guard has established about a caller. */
export type Pass<Caller> = {
  readonly caller: Caller
  /** Whose share of the limits the request uses; null if the caller is not identified. */
  readonly holder: string | null
}

/** Lets a request to a route pass, or throws the refusal. It does not read the body. */
export type Guard<Caller> = (
  request: IncomingMessage,
  response: ServerResponse,
  route: Route<Caller>,
) => Pass<Caller> | Promise<Pass<Caller>>

export type Guards<Caller> = Readonly<Partial<Record<Access, Guard<Caller>>>>

const ANYONE: Pass<null> = { caller: null, holder: null }
const INTERNAL: Pass<null> = { caller: null, holder: 'internal' }

/** For services whose routes are public or internal. */
export function serviceGuards(internalToken: string): Required<Pick<Guards<null>, 'public' | 'internal'>> {
  return { public: () => ANYONE, internal: internalGuard(internalToken) }
}

export function internalGuard(internalToken: string): Guard<null> {
  return (request) => {
    if (isSameToken(bearerToken(request), internalToken)) return INTERNAL
    throw new HttpError(401, 'this route needs the internal token', { 'www-authenticate': 'Bearer' })
  }
}
