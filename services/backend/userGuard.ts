import { bearerToken } from '../platform/http/bearerToken.ts'
import type { Guard } from '../platform/http/guards.ts'
import type { Runtime } from '../platform/runtime.ts'
import type { SignedInUser } from './graphql/context.ts'
import { userOfToken } from './graphql/signIn.ts'

/** The user of the request's token; null on routes without users, and if there is no valid token. */
export type BackendCaller = SignedInUser | null

/** Checks the token before any of the body is read. A request without a valid token passes as unauthenticated. */
export function userGuard(runtime: Runtime): Guard<BackendCaller> {
  return async (request) => {
    const user = await userOfToken(runtime, bearerToken(request))
    return { caller: user, holder: user && holderOf(user) }
  }
}

/** Users of a company share its limits. A super admin may belong to none. */
export function holderOf({ companyId, userId }: SignedInUser): string {
  return companyId ?? userId
}
