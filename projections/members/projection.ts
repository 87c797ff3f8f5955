import type { CompanyEvent } from '../../contracts/events/company.ts'
import type { Role } from '../../contracts/roles.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type MemberRow = {
  readonly companyId: string
  readonly userId: string
  /** null after the user was removed. */
  readonly role: Role | null
  readonly changedAt: string
}

/** The roles that were assigned. Users who were registered before there were roles may have none; see `users/queries.ts`. */
export const members: Projection<MemberRow, CompanyEvent> = {
  name: 'members',
  version: 1,
  categories: ['company'],
  table: 'members',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['companyId', 'userId'],
  rowsOf: (event) => {
    const row = rowOf(event)
    return row ? [{ companyId: row.companyId, userId: row.userId }] : []
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
      return { companyId, userId, role, changedAt: assignedAt }
    }
    case 'UserRemoved': {
      const { companyId, userId, removedAt } = event.data
      return { companyId, userId, role: null, changedAt: removedAt }
    }
    case 'CompanyRegistered':
    case 'BillingModeChanged':
    case 'HardCapChanged':
    case 'CreditLimitChanged':
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
