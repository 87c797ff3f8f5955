import type { CompanyEvent } from '../../../../../contracts/events/company.ts'
import { isoTime } from '../../../../../platform/clock/clock.ts'
import { hashLinkToken, linkToken } from '../../../../../platform/secrets/linkTokens.ts'
import { type OpenInvitation, openInvitationsOf } from '../../../../../projections/invitations/queries.ts'
import { activeUserByLookup } from '../../../../../projections/users/queries.ts'
import { requireCompany, requireUser } from '../../access/access.ts'
import { apiError } from '../../apiError.ts'
import type { GraphqlContext } from '../../context.ts'
import type { Invitation, Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { acceptInvitation } from '../../members/acceptInvitation.ts'
import { changeInvitations } from '../../members/invitations.ts'
import { basis } from '../../members/members.ts'
import { LIST_ROWS_MAX } from '../../paging.ts'

export const INVITATION_DAYS = 7
const INVITATION_MS = INVITATION_DAYS * 24 * 60 * 60 * 1_000
/** Per company, because invitations are mails to addresses that the sender chooses. */
export const INVITATIONS_PER_MINUTE_MAX = 30

export const invitations: Resolvers = {
  Query: {
    invitations: async (_source, _args, context) => {
      const { database, personal } = context.runtime.engines
      const rows = await openInvitationsOf(database, requireCompany(context), LIST_ROWS_MAX)
      const revealed = await personal.revealRows(rows, 'email')
      return revealed.map((row) => shownInvitation(context, row))
    },
  },

  Mutation: {
    inviteUser: async (_source, { email, role }, context) => {
      const { runtime } = context
      const { engines, clock, ids, secrets } = runtime
      const [companyId, { userId }] = [requireCompany(context), requireUser(context)]
      await limitMails(context, companyId)
      const emailLookup = await engines.personal.lookupOf(email)
      if ((await activeUserByLookup(engines.database, emailLookup))?.companyId === companyId) {
        throw apiError('BAD_USER_INPUT', 'this address belongs to a user of the company: setRole changes their role')
      }
      const invitationId = ids.uuid()
      const token = linkToken(secrets.jwtSecret, { kind: 'invitation', ownerId: companyId, linkId: invitationId })
      const link = { invitationId, tokenHash: hashLinkToken(token), expiresAt: isoTime(clock.now() + INVITATION_MS) }
      const change = { companyId, userId, email, emailLookup, role, ...link, ...(await basis(context, companyId)) }
      return invitationIn(await changeInvitations(context, { type: 'InviteUser', ...change }))
    },

    withdrawInvitation: async (_source, { id }, context) => {
      const companyId = requireCompany(context)
      const { byOwner, at } = await basis(context, companyId)
      const invitationId = requireId(id, 'invitation')
      await changeInvitations(context, { type: 'WithdrawInvitation', companyId, invitationId, byOwner, at })
      return true
    },

    acceptInvitation: (_source, { token, password }, context) => acceptInvitation(context, token, password),
  },
}

async function limitMails({ runtime }: GraphqlContext, companyId: string): Promise<void> {
  const { rateLimits } = runtime.engines.sharedState
  const { used, resetAtMs } = await rateLimits.add(`invitations:${companyId}`, 1)
  if (used <= INVITATIONS_PER_MINUTE_MAX) return
  const retryAfterSeconds = Math.max(1, Math.ceil((resetAtMs - runtime.clock.now()) / 1000))
  throw apiError('RATE_LIMITED', `too many invitations: try again in ${retryAfterSeconds} s`, { retryAfterSeconds })
}

function shownInvitation({ runtime }: GraphqlContext, row: OpenInvitation): Invitation {
  const { invitationId: id, email, role, invitedBy, invitedAt, expiresAt } = row
  const expired = runtime.clock.now() >= Date.parse(expiresAt)
  return { id, email, role, invitedBy, invitedAt, expiresAt, expired }
}

function invitationIn(events: readonly CompanyEvent[]): Invitation {
  for (const { type, data } of events) {
    if (type !== 'UserInvited') continue
    const { invitationId: id, email, role, invitedBy, invitedAt, expiresAt } = data
    return { id, email, role, invitedBy, invitedAt, expiresAt, expired: false }
  }
  throw new Error('an invitation led to no event')
}
