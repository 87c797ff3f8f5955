import { newUserId } from '../../../../../capabilities/commands/newUserId.ts'
import { endSessionsOfUser } from '../../../../../capabilities/sessions/sessionTable.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { userDecider } from '../../../../../domain/user/decider.ts'
import { users } from '../../../../../projections/users/projection.ts'
import {
  activeUserById,
  activeUserByLookup,
  companyOfUser,
  emailLookupOf,
} from '../../../../../projections/users/queries.ts'
import { requireSuperAdmin, requireUser } from '../../access/access.ts'
import { requireRegistered } from '../../access/registeredCompany.ts'
import { apiError } from '../../apiError.ts'
import { change, nowOf, send, shownIn } from '../../context.ts'
import type { Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { endInvitationsTo } from '../../members/invitations.ts'
import { assignRole, removeMember } from '../../members/members.ts'
import { loginOutput } from '../../signIn/loginOutput.ts'
import { userOfPassword } from '../../signIn/userOfPassword.ts'

export const account: Resolvers = {
  Query: {
    whoAmI: (_source, _args, context) => {
      const { userId, email, isSuperAdmin, role } = requireUser(context)
      return { id: userId, email, isSuperAdmin, role }
    },
  },

  Mutation: {
    login: async (_source, { email: given, password }, { runtime, logins, clientAddress }) => {
      const user = await userOfPassword(runtime, logins, { clientAddress, email: given, password })
      const email = await runtime.engines.personal.reveal(user.email)
      return loginOutput(runtime, { userId: user.userId, email, version: user.tokenVersion })
    },

    changePassword: async (_source, { oldPassword, newPassword }, context) => {
      const { userId, email, isSuperAdmin, role } = requireUser(context)
      const { logins, clientAddress, runtime } = context
      const user = await activeUserById(runtime.engines.database, userId)
      const account = user?.emailLookup ?? userId
      if (!(await logins.attempt(clientAddress, account, oldPassword, user?.passwordHash ?? null))) {
        throw apiError('BAD_USER_INPUT', 'oldPassword is wrong')
      }
      const passwordHash = await logins.hash(newPassword)
      const command = { type: 'ChangePassword', userId, passwordHash, at: nowOf(context) } as const
      await change(context, users, userDecider, streamName('user', userId), command)
      return { id: userId, email, isSuperAdmin, role }
    },

    signOutEverywhere: async (_source, _args, context) => {
      const { userId } = requireUser(context)
      const command = { type: 'SignOutEverywhere', userId, at: nowOf(context) } as const
      await change(context, users, userDecider, streamName('user', userId), command)
      return true
    },

    createUser: async (_source, { input }, context) => {
      requireSuperAdmin(context)
      const { database, personal, store, commands } = context.runtime.engines
      const companyId = input.companyId == null ? null : await requireRegistered(context, input.companyId)
      const emailLookup = await personal.lookupOf(input.email)
      if (await activeUserByLookup(database, emailLookup)) {
        throw apiError('BAD_USER_INPUT', 'this e-mail address is already in use')
      }
      const userId = await newUserId(store, emailLookup)
      const stream = streamName('user', userId)
      const isSuperAdmin = input.isSuperAdmin ?? false
      const registration = { userId, companyId, email: input.email, emailLookup, isSuperAdmin, at: nowOf(context) }
      const passwordHash = await context.logins.hash(input.password)
      const command = { type: 'RegisterUser', ...registration, passwordHash } as const
      userDecider.decide(command, await commands.stateOf(userDecider, stream))
      // The role comes first: a crash in between must not leave a user with more rights than they were to have.
      const role =
        companyId === null ? null : await assignRole(context, { companyId, userId, role: input.role ?? null })
      const row = await change(context, users, userDecider, stream, command)
      return { id: userId, email: await personal.reveal(row.email ?? ''), isSuperAdmin, role }
    },

    // The event comes before the key is deleted: a crash in between must not leave a user who seems to exist.
    eraseUser: async (_source, { id }, context) => {
      requireSuperAdmin(context)
      const stream = streamName('user', requireId(id, 'user'))
      // A user who was removed may be invited again.
      const lookup = await emailLookupOf(context.runtime.engines.database, id)
      if (lookup !== null) await endInvitationsTo(context, lookup)
      const command = { type: 'EraseUser', userId: id, at: nowOf(context) } as const
      const { position } = await send(context, userDecider, stream, command)
      await context.runtime.engines.personal.erase(stream)
      await endSessionsOfUser(context.runtime.engines.database, id)
      await shownIn(context, users, stream, position)
      const companyId = await companyOfUser(context.runtime.engines.database, id)
      if (companyId !== null) await removeMember(context, { companyId, userId: id, isErasure: true })
      return true
    },
  },
}
