import { apiError } from '../apiError.ts'
import type { GraphqlContext, SignedInUser } from '../context.ts'

export function requireUser({ user }: Pick<GraphqlContext, 'user'>): SignedInUser {
  if (!user)
    throw apiError('UNAUTHENTICATED', 'this needs "Authorization: Bearer <token>" with a valid token from login')
  return user
}

/** The company of the signed-in admin, who sees and changes only what belongs to it. */
export function requireCompany(context: GraphqlContext): string {
  const { companyId } = requireUser(context)
  if (companyId === null) {
    throw apiError('FORBIDDEN', 'this concerns the data of a company, and you belong to no company')
  }
  return companyId
}

export function requireSuperAdmin(context: Pick<GraphqlContext, 'user'>): SignedInUser {
  const user = requireUser(context)
  if (!user.isSuperAdmin) throw apiError('FORBIDDEN', 'this is for super admins only')
  return user
}
