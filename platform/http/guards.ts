import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError } from './answer/httpError.ts'
import { bearerToken, isSameToken } from './bearerToken.ts'
import type { Access, Route } from './route.ts'

/** What a guard found out about a caller. */
export type Pass<Caller> = {
  readonly caller: Caller
  /** Whose share of the limits the request takes; null: the caller has not shown who it is. */
  readonly holder: string | null
}

/** Lets a request to a route pass, or throws the refusal. It reads nothing of the body. */
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
