import type { Role } from '../../../../contracts/roles.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { companyDecider } from '../../../../domain/company/decider.ts'
import type { MembersCommand } from '../../../../domain/company/members.ts'
import { members } from '../../../../projections/members/projection.ts'
import { unrecordedUsersOf } from '../../../../projections/users/queries.ts'
import { type GraphqlContext, nowOf, send, shownIn } from '../context.ts'
import { eraseEnded } from './invitations.ts'

type Member = { readonly companyId: string; readonly userId: string }

/** Without a role, the first user of the company becomes its owner and every other one an admin. Returns the role. */
export async function assignRole(
  context: GraphqlContext,
  { companyId, userId, role }: Member & { readonly role: Role | null },
): Promise<Role> {
  await changeMembers(context, { type: 'AssignRole', companyId, userId, role, ...(await basis(context, companyId)) })
  const state = await context.runtime.engines.commands.stateOf(companyDecider, streamName('company', companyId))
  const assigned = state.status === 'registered' ? state.members?.[userId] : null
  if (!assigned) throw new Error(`user ${userId} has no role in company ${companyId} after it was assigned`)
  return assigned
}

export async function removeMember(
  context: GraphqlContext,
  { companyId, userId, isErasure }: Member & { readonly isErasure: boolean },
): Promise<void> {
  const changes = await basis(context, companyId)
  await changeMembers(context, { type: 'RemoveUser', companyId, userId, isErasure, ...changes })
}

/** The state that a change by the caller is based on. */
export async function basis(context: GraphqlContext, companyId: string) {
  const { user, runtime } = context
  return {
    unrecorded: await unrecordedUsersOf(runtime.engines.database, companyId),
    byOwner: user?.role === 'OWNER' || (user?.isSuperAdmin ?? false),
    at: nowOf(context),
  }
}

async function changeMembers(context: GraphqlContext, command: MembersCommand): Promise<void> {
  const stream = streamName('company', command.companyId)
  const { position, events } = await send(context, companyDecider, stream, command)
  await eraseEnded(context, events)
  await shownIn(context, members, stream, position)
}
