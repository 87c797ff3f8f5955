import type { Sql } from '../runner/ports.ts'
import type { InvitationRow } from './projection.ts'

export type OpenInvitation = InvitationRow & { readonly email: string; readonly emailLookup: string }

/** Newest first, including expired ones. */
export function openInvitationsOf(sql: Sql, companyId: string, limit: number): Promise<OpenInvitation[]> {
  return sql.query<OpenInvitation>(
    `select * from read_models.invitations where company_id = $1 and status = 'OPEN'
     order by invited_at desc, invitation_id limit $2`,
    [companyId, limit],
  )
}

/** Across all companies, by the keyed hash of the address. */
export function openInvitationsTo(sql: Sql, emailLookup: string): Promise<OpenInvitation[]> {
  return sql.query<OpenInvitation>(
    "select * from read_models.invitations where email_lookup = $1 and status = 'OPEN'",
    [emailLookup],
  )
}
