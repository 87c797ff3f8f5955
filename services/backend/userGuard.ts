import type { Runtime } from '../../capabilities/installation.ts'
import type { Guard } from '../../platform/http/guards.ts'
import { credentialsOf } from './credentials.ts'
import type { SignedInUser } from './graphql/context.ts'
import { userOf } from './graphql/signIn/signIn.ts'

/** The user of the request's token or session; null on routes without users, and if neither is valid. */
export type BackendCaller = SignedInUser | null

/**
 * Checks the token or session before any of the body is read. A request without a valid one passes as unauthenticated; one
 * with the cookie of a session that a foreign page sent is refused.
 */
export function userGuard(runtime: Runtime): Guard<BackendCaller> {
  return async (request) => {
    const user = await userOf(runtime, credentialsOf(request, runtime.config))
    return { caller: user, holder: user && holderOf(user) }
  }
}

/** Users of a company share its limits. A super admin may belong to none. */
export function holderOf({ companyId, userId }: SignedInUser): string {
  return companyId ?? userId
}
