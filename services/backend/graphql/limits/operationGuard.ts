import type { GraphQLFieldResolver, GraphQLObjectType } from 'graphql'
import { isCompanySuspended } from '../../../../projections/companies/queries.ts'
import { requireCompany, requireSuperAdmin, requireUser } from '../access/access.ts'
import { type Access, OPERATION_ACCESS, type Operation } from '../access/operationAccess.ts'
import { apiError } from '../apiError.ts'
import type { GraphqlContext } from '../context.ts'

type Resolve = GraphQLFieldResolver<unknown, GraphqlContext>

/** Makes every operation check its caller before it does anything else. Those without a resolver are left as they are. */
export function guardOperations(roots: readonly GraphQLObjectType[], unanswered: readonly string[]): void {
  for (const root of roots) {
    for (const field of Object.values(root.getFields())) {
      const access: Access | undefined = OPERATION_ACCESS[field.name as Operation]
      if (!access) throw new Error(`${root.name}.${field.name} is missing in operationAccess.ts`)
      if (unanswered.includes(`${root.name}.${field.name}`)) continue
      if (field.subscribe) field.subscribe = guarded(access, field.subscribe as Resolve)
      else if (field.resolve) field.resolve = guarded(access, field.resolve as Resolve)
    }
  }
}

function guarded(access: Access, resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    const { asCompany = null, ...own } = args
    if (asCompany !== null) {
      return readingAs(context, asCompany, info.fieldName).then((reader) => resolve(source, own, reader, info))
    }
    requireAccess(access, context, info.fieldName)
    const run = () => resolve(source, own, context, info)
    return typeof access === 'object' && access.spends ? refuseSuspended(context, info.fieldName).then(run) : run()
  }
}

/**
 * The context in which a super admin reads a company's data: with its owner's access, and no more. The access is
 * recorded before anything is read, and in each further hour that a subscription lasts. No mutation has the argument; the
 * test of the access compares them.
 */
async function readingAs(context: GraphqlContext, companyId: string, operation: string): Promise<GraphqlContext> {
  const user = requireUser(context)
  if (!user.isSuperAdmin) throw apiError('FORBIDDEN', `asCompany of ${operation} is for super admins only`)
  await context.companyAccess.record(context, companyId)
  const isStillSignedIn = async () => {
    if (!(await context.isStillSignedIn())) return false
    await context.companyAccess.record(context, companyId)
    return true
  }
  return { ...context, user: { ...user, isSuperAdmin: false, companyId, role: 'OWNER' }, isStillSignedIn }
}

function requireAccess(access: Access, context: GraphqlContext, operation: string): void {
  if (access === 'public') return
  const { isSuperAdmin, role } = requireUser(context)
  if (access === 'signedIn' || (access.superAdmin && isSuperAdmin)) return
  if (access.roles.length === 0) requireSuperAdmin(context)
  requireCompany(context)
  if (role !== null && access.roles.includes(role)) return
  throw apiError('FORBIDDEN', `${operation} is for ${access.roles.join(', ')}, and you are ${role}`)
}

async function refuseSuspended(context: GraphqlContext, operation: string): Promise<void> {
  if (!(await isCompanySuspended(context.runtime.engines.database, requireCompany(context)))) return
  const message = `your company is suspended, so ${operation} is refused; its owner has the reason by mail`
  throw apiError('FORBIDDEN', message, { reason: 'COMPANY_SUSPENDED' })
}
