import type { CompanyEvent } from '../../contracts/events/company.ts'
import type { Role } from '../../contracts/roles.ts'
import type { Projection } from '../projection.ts'

export type InvitationRow = {
  readonly invitation_id: string
  readonly company_id: string
  /** An open one may have expired. */
  readonly status: 'OPEN' | 'ACCEPTED' | 'WITHDRAWN'
  /** Encrypted, as stored. null once the invitation has ended, like the field after it. */
  readonly email: string | null
  readonly email_lookup: string | null
  readonly role: Role
  readonly invited_by: string
  readonly invited_at: string
  readonly expires_at: string
  readonly ended_at: string | null
}

export const invitations: Projection<InvitationRow, CompanyEvent> = {
  name: 'invitations',
  version: 1,
  categories: ['company'],
  table: 'invitations',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['invitation_id'],
  rowsOf: ({ data }) => ('invitationId' in data ? [{ invitation_id: data.invitationId }] : []),
  evolve: (row, event) => {
    if (event.type === 'UserInvited') {
      const { invitationId, companyId, email, emailLookup, role, invitedBy, invitedAt, expiresAt } = event.data
      const person = { email, email_lookup: emailLookup, role }
      const times = { invited_at: invitedAt, expires_at: expiresAt, ended_at: null }
      const place = { invitation_id: invitationId, company_id: companyId, status: 'OPEN' } as const
      return { ...place, ...person, invited_by: invitedBy, ...times }
    }
    if (!row) throw new Error(`${event.type} ${event.id} concerns no invitation`)
    const ended = { ...row, email: null, email_lookup: null }
    if (event.type === 'InvitationAccepted') {
      return { ...ended, status: 'ACCEPTED', ended_at: event.data.acceptedAt }
    }
    if (event.type === 'InvitationWithdrawn') {
      return { ...ended, status: 'WITHDRAWN', ended_at: event.data.withdrawnAt }
    }
    throw new Error(`${event.type} ${event.id} concerns no invitation`)
  },
}
