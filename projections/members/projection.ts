import type { CompanyEvent } from '../../contracts/events/company.ts'
import type { Role } from '../../contracts/roles.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type MemberRow = {
  readonly company_id: string
  readonly user_id: string
  /** null after the user was removed. */
  readonly role: Role | null
  readonly changed_at: string
}

/** The roles that were assigned. Users who were registered before there were roles may have none; see `users/queries.ts`. */
export const members: Projection<MemberRow, CompanyEvent> = {
  name: 'members',
  version: 1,
  categories: ['company'],
  table: 'members',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['company_id', 'user_id'],
  rowsOf: (event) => {
    const row = rowOf(event)
    return row ? [{ company_id: row.company_id, user_id: row.user_id }] : []
  },
  evolve: (_row, event) => {
    const row = rowOf(event)
    if (!row) throw new Error(`${event.type} ${event.id} concerns no member`)
    return row
  },
}

function rowOf(event: CompanyEvent): MemberRow | null {
  switch (event.type) {
    case 'RoleAssigned': {
      const { companyId, userId, role, assignedAt } = event.data
      return { company_id: companyId, user_id: userId, role, changed_at: assignedAt }
    }
    case 'UserRemoved': {
      const { companyId, userId, removedAt } = event.data
      return { company_id: companyId, user_id: userId, role: null, changed_at: removedAt }
    }
    case 'CompanyRegistered':
    case 'BillingModeChanged':
    case 'HardCapChanged':
    case 'PaymentCustomerAssigned':
    case 'CompanySuspended':
    case 'CompanyResumed':
    case 'NoticeSettingsChanged':
    case 'WebhookEndpointCreated':
    case 'WebhookEndpointDisabled':
    case 'WebhookEndpointDeleted':
    case 'UserInvited':
    case 'InvitationAccepted':
    case 'InvitationWithdrawn':
    case 'CompanyAccessed':
      return null
    default:
      return unexpected(event)
  }
}
