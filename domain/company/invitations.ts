import type { CompanyEvent } from '../../contracts/events/company.ts'
import type { Role } from '../../contracts/roles.ts'
import { Refusal, unexpected } from '../decider.ts'
import { requireEmail } from '../mailAddress.ts'
import { type Change, type MemberEvent, type Members, recordedRoles, requireOwner } from './members.ts'

export type InvitationEvent = Extract<
  CompanyEvent,
  { type: 'UserInvited' | 'InvitationAccepted' | 'InvitationWithdrawn' }
>

/** The number of open invitations a company may have. */
export const INVITATIONS_OPEN_MAX = 500

export type Invitation = {
  readonly invitationId: string
  /** As stored. */
  readonly email: string
  readonly emailLookup: string
  readonly role: Role
  readonly tokenHash: string
  readonly invitedBy: string
  readonly expiresAt: string
  /** The user who accepted it; null while it is open. */
  readonly acceptedBy: string | null
}

/** Open and accepted invitations by id. */
export type Invitations = Readonly<Record<string, Invitation>>

export function evolveInvitations(invitations: Invitations = {}, { type, data }: InvitationEvent): Invitations {
  switch (type) {
    case 'UserInvited': {
      const { invitationId, email, emailLookup, role, tokenHash, invitedBy, expiresAt } = data
      const link = { tokenHash, invitedBy, expiresAt, acceptedBy: null }
      return { ...invitations, [invitationId]: { invitationId, email, emailLookup, role, ...link } }
    }
    case 'InvitationAccepted': {
      const accepted = invitations[data.invitationId]
      return accepted ? { ...invitations, [data.invitationId]: { ...accepted, acceptedBy: data.userId } } : invitations
    }
    case 'InvitationWithdrawn': {
      const { [data.invitationId]: _withdrawn, ...others } = invitations
      return others
    }
    default:
      return unexpected(type)
  }
}

export type InvitationsCommand =
  | ({
      readonly type: 'InviteUser'
      readonly invitationId: string
      readonly email: string
      readonly emailLookup: string
      readonly role: Role
      readonly tokenHash: string
      readonly expiresAt: string
      /** The user who invites. */
      readonly userId: string
    } & Change)
  /** With the token of the link that was mailed to the person. */
  | {
      readonly type: 'AcceptInvitation'
      readonly companyId: string
      readonly tokenHash: string
      readonly userId: string
      readonly at: string
    }
  | {
      readonly type: 'WithdrawInvitation'
      readonly companyId: string
      readonly invitationId: string
      readonly byOwner: boolean
      readonly at: string
    }

export function decideInvitations(
  command: InvitationsCommand,
  members: Members,
  invitations: Invitations,
): (InvitationEvent | MemberEvent)[] {
  const { companyId, at } = command
  switch (command.type) {
    case 'InviteUser': {
      const { invitationId, emailLookup, role, tokenHash, expiresAt, userId: invitedBy } = command
      const open = openIn(invitations)
      const replaced = open.filter((one) => one.emailLookup === emailLookup)
      requireOwner(command, role, ...replaced.map((one) => one.role))
      if (open.length - replaced.length >= INVITATIONS_OPEN_MAX) {
        throw new Refusal(
          'CONFLICT',
          `a company has at most ${INVITATIONS_OPEN_MAX} open invitations: withdraw some first`,
        )
      }
      const invitation = { companyId, invitationId, email: requireEmail(command.email), emailLookup, role, tokenHash }
      return [
        ...recordedRoles(command, members),
        ...replaced.map((one) => withdrawal(companyId, one, at)),
        { type: 'UserInvited', data: { ...invitation, invitedBy, invitedAt: at, expiresAt } },
      ]
    }
    case 'AcceptInvitation': {
      const { userId } = command
      const { invitationId, role, acceptedBy } = requireUsable(invitations, command.tokenHash, at)
      if (acceptedBy === userId) return []
      if (acceptedBy !== null) throw new Refusal('INVALID', INVITATION_ENDED)
      if ((members[userId] ?? null) !== null) {
        throw new Refusal('CONFLICT', 'this address belongs to a user of the company already: log in')
      }
      return [
        { type: 'InvitationAccepted', data: { companyId, invitationId, userId, acceptedAt: at } },
        { type: 'RoleAssigned', data: { companyId, userId, role, assignedAt: at } },
      ]
    }
    case 'WithdrawInvitation': {
      const open = invitations[command.invitationId]
      if (!open || open.acceptedBy !== null) {
        throw new Refusal('NOT_FOUND', `there is no invitation ${command.invitationId}`)
      }
      requireOwner(command, open.role)
      return [withdrawal(companyId, open, at)]
    }
    default:
      return unexpected(command)
  }
}

/** The invitation of a token. Withdrawn, replaced and expired ones are all refused with the same words. */
export function requireUsable(invitations: Invitations, tokenHash: string, at: string): Invitation {
  const found = Object.values(invitations).find((one) => one.tokenHash === tokenHash)
  if (found && (found.acceptedBy !== null || at < found.expiresAt)) return found
  throw new Refusal('INVALID', INVITATION_ENDED)
}

export const INVITATION_ENDED =
  'the token is not valid: it was used, withdrawn, replaced by a newer one or has expired. Ask for another invitation'

/**
 * Open invitations of users whose new role does not allow them. Otherwise a removed user could come back through an
 * invitation that they had sent to another address of theirs.
 */
export function invitationsEndedBy(
  changes: readonly MemberEvent[],
  invitations: Invitations,
  at: string,
): InvitationEvent[] {
  return changes.flatMap(({ type, data }) => {
    const role = type === 'RoleAssigned' ? data.role : null
    return openIn(invitations)
      .filter((one) => one.invitedBy === data.userId && !mayInvite(role, one.role))
      .map((one) => withdrawal(data.companyId, one, at))
  })
}

function mayInvite(role: Role | null, invited: Role): boolean {
  return role === 'OWNER' || (role === 'ADMIN' && invited !== 'OWNER')
}

function openIn(invitations: Invitations): Invitation[] {
  return Object.values(invitations).filter(({ acceptedBy }) => acceptedBy === null)
}

function withdrawal(companyId: string, { invitationId }: Invitation, at: string): InvitationEvent {
  return { type: 'InvitationWithdrawn', data: { companyId, invitationId, withdrawnAt: at } }
}
