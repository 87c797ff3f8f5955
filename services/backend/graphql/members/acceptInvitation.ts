import { newUserId } from '../../../../capabilities/commands/newUserId.ts'
import { ERASED } from '../../../../capabilities/personalData/personalData.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { type CompanyState, companyDecider } from '../../../../domain/company/decider.ts'
import { INVITATION_ENDED, requireUsable } from '../../../../domain/company/invitations.ts'
import { Refusal } from '../../../../domain/decider.ts'
import { type UserState, userDecider } from '../../../../domain/user/decider.ts'
import { readLinkToken } from '../../../../platform/secrets/linkTokens.ts'
import { members } from '../../../../projections/members/projection.ts'
import { type UserRow, users } from '../../../../projections/users/projection.ts'
import { apiError } from '../apiError.ts'
import { change, type GraphqlContext, nowOf, send, shownIn } from '../context.ts'
import type { LoginOutput } from '../generated.ts'
import { loginOutput } from '../signIn/loginOutput.ts'
import { eraseAddress } from './invitations.ts'

/**
 * Makes the person that a link was mailed to a user of the company. Streams decide, not read models: the stream of the
 * company lets a link be used once, and the stream of the user lets a person belong to one company. The role comes first,
 * because a user without one could have more rights than they were invited to; a start that was cut after it continues when
 * the link is used again.
 */
export async function acceptInvitation(context: GraphqlContext, text: string, password: string): Promise<LoginOutput> {
  const { commands, personal, store } = context.runtime.engines
  await context.logins.admit(context.clientAddress)
  const link = readLinkToken('invitation', text)
  if (!link) throw linkEnded()
  const { ownerId: companyId, tokenHash } = link
  const company = await commands.stateOf(companyDecider, streamName('company', companyId))
  if (company.status !== 'registered') throw linkEnded()
  const invitation = requireUsable(company.invitations ?? {}, tokenHash, nowOf(context))
  const { emailLookup, invitationId, role } = invitation
  const userId = await newUserId(store, emailLookup)
  const stream = streamName('user', userId)
  const { state: user, revision } = await commands.stateWithRevision(userDecider, stream)
  const accept = { type: 'AcceptInvitation', companyId, tokenHash, userId, at: nowOf(context) } as const
  const wasAccepted = companyDecider.decide(accept, company).length === 0
  if (wasAccepted && (isIn(user, companyId) || !company.members?.[userId])) throw linkEnded()
  await requireFree(context, { userId, user, companyId, company })
  const email = await personal.reveal(invitation.email)
  if (email === ERASED) throw linkEnded()
  const passwordHash = await context.logins.hash(password)

  const person: GraphqlContext = { ...context, user: { userId, email, isSuperAdmin: false, companyId, role } }
  const { events, position } = await send(person, companyDecider, streamName('company', companyId), accept)
  if (events.length === 0 && isIn(user, companyId)) throw linkEnded()
  const joining = { userId, companyId, passwordHash, at: accept.at }
  const registration = { type: 'RegisterUser', ...joining, email, emailLookup, isSuperAdmin: false } as const
  const command = user.status === 'unknown' ? registration : ({ type: 'JoinCompany', ...joining } as const)
  const row = await change(person, users, userDecider, stream, command, { basedOn: revision }).catch(
    async (error: unknown): Promise<UserRow> => {
      if (!(error instanceof Refusal)) throw error
      throw await givenUp(context, { userId, companyId })
    },
  )
  await shownIn(person, members, streamName('company', companyId), position)
  await eraseAddress(context, invitationId)
  return loginOutput(context.runtime, { userId, email, version: row.tokenVersion })
}

function linkEnded() {
  return apiError('BAD_USER_INPUT', INVITATION_ENDED)
}

function elsewhere() {
  return apiError(
    'BAD_USER_INPUT',
    'this address has an account in another company, and a user belongs to one company only: ask to be invited with another address, or to be removed there first',
  )
}

function isIn(user: UserState, companyId: string): boolean {
  return user.status === 'registered' && user.companyId === companyId
}

type Place = {
  readonly userId: string
  readonly user: UserState
  readonly companyId: string
  readonly company: CompanyState
}

/** Refuses an address whose user belongs to a company, or to none because they are a super admin. */
async function requireFree(context: GraphqlContext, { userId, user, companyId, company }: Place): Promise<void> {
  if (user.status !== 'registered') return
  if (user.isSuperAdmin || user.companyId === null) throw elsewhere()
  const { commands } = context.runtime.engines
  const present =
    user.companyId === companyId
      ? company
      : await commands.stateOf(companyDecider, streamName('company', user.companyId))
  // A user of an earlier version has no recorded role; one who was removed has null.
  if (present.status !== 'registered' || present.members?.[userId] === null) return
  if (user.companyId !== companyId) throw elsewhere()
  throw apiError('BAD_USER_INPUT', 'this address belongs to a user of the company already: log in')
}

/** The user has changed in between: by the same link, or by that of another company. Returns what to tell them. */
async function givenUp(context: GraphqlContext, place: { readonly userId: string; readonly companyId: string }) {
  const user = await context.runtime.engines.commands.stateOf(userDecider, streamName('user', place.userId))
  if (isIn(user, place.companyId)) return linkEnded()
  const command = { type: 'RemoveUser', ...place, isErasure: true, unrecorded: [], byOwner: true } as const
  await send(context, companyDecider, streamName('company', place.companyId), { ...command, at: nowOf(context) })
  return elsewhere()
}
