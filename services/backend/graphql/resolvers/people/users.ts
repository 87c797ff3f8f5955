import { endSessionsOfUser } from '../../../../../capabilities/sessions/sessionTable.ts'
import { type ActiveUser, activeUserById, activeUsersOf } from '../../../../../projections/users/queries.ts'
import { requireCompany, requireUser } from '../../access/access.ts'
import { notFound } from '../../apiError.ts'
import type { GraphqlContext } from '../../context.ts'
import type { Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { assignRole, removeMember } from '../../members/members.ts'
import { LIST_ROWS_MAX } from '../../paging.ts'

export const users: Resolvers = {
  Query: {
    users: async (_source, _args, context) => {
      const { database, personal } = context.runtime.engines
      const rows = await activeUsersOf(database, requireCompany(context), LIST_ROWS_MAX)
      const emails = await personal.revealAll(rows.map(({ email }) => email))
      return rows.map(({ userId: id, isSuperAdmin, role }, n) => {
        return { id, email: emails[n] ?? '', isSuperAdmin, role }
      })
    },
  },

  Mutation: {
    setRole: async (_source, { userId, role: wanted }, context) => {
      const { companyId, email, isSuperAdmin } = await requireColleague(context, userId)
      const role = await assignRole(context, { companyId, userId, role: wanted })
      return { id: userId, email: await context.runtime.engines.personal.reveal(email), isSuperAdmin, role }
    },

    removeUser: async (_source, { userId }, context) => {
      const { companyId } = await requireColleague(context, userId)
      await removeMember(context, { companyId, userId, isErasure: false })
      await endSessionsOfUser(context.runtime.engines.database, userId)
      return true
    },
  },
}

/** A user of the caller's company; for a super admin, of any company. */
async function requireColleague(
  context: GraphqlContext,
  userId: string,
): Promise<ActiveUser & { readonly companyId: string }> {
  const caller = requireUser(context)
  const user = await activeUserById(context.runtime.engines.database, requireId(userId, 'user'))
  const companyId = user?.companyId
  if (!user || companyId == null) throw notFound('user', userId)
  if (!caller.isSuperAdmin && companyId !== caller.companyId) throw notFound('user', userId)
  return { ...user, companyId }
}
