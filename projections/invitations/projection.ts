import type { CompanyEvent } from '../../contracts/events/company.ts'
import type { Role } from '../../contracts/roles.ts'
import type { Projection } from '../projection.ts'

export type InvitationRow = {
  readonly invitationId: string
  readonly companyId: string
  /** An open one may have expired. */
  readonly status: 'OPEN' | 'ACCEPTED' | 'WITHDRAWN'
  /** Encrypted, as stored. null once the invitation has ended, like the field after it. */
  readonly email: string | null
  readonly emailLookup: string | null
  readonly role: Role
  readonly invitedBy: string
  readonly invitedAt: string
  readonly expiresAt: string
  readonly endedAt: string | null
}

export const invitations: Projection<InvitationRow, CompanyEvent> = {
  name: 'invitations',
  version: 1,
  categories: ['company'],
  table: 'invitations',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['invitationId'],
  rowsOf: ({ data }) => ('invitationId' in data ? [{ invitationId: data.invitationId }] : []),
  evolve: (row, event) => {
    if (event.type === 'UserInvited') {
      const { invitationId, companyId, email, emailLookup, role, invitedBy, invitedAt, expiresAt } = event.data
      const invitation = { invitationId, companyId, email, emailLookup, role, invitedBy, invitedAt, expiresAt }
      return { ...invitation, status: 'OPEN', endedAt: null }
    }
    if (!row) throw new Error(`${event.type} ${event.id} concerns no invitation`)
    const ended = { ...row, email: null, emailLookup: null }
    if (event.type === 'InvitationAccepted') {
      return { ...ended, status: 'ACCEPTED', endedAt: event.data.acceptedAt }
    }
    if (event.type === 'InvitationWithdrawn') {
      return { ...ended, status: 'WITHDRAWN', endedAt: event.data.withdrawnAt }
    }
    throw new Error(`${event.type} ${event.id} concerns no invitation`)
  },
}
