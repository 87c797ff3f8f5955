import type { BillingMode, CompanyEvent } from '../../contracts/events/company.ts'
import { unexpected } from '../../domain/decider.ts'
import type { StoredRule } from '../../domain/ledger/lowBalanceRule.ts'
import type { Projection } from '../projection.ts'

export type CompanyRow = {
  readonly company_id: string
  readonly name: string
  readonly billing_mode: BillingMode
  readonly hard_cap: boolean
  readonly registered_at: string
  /** null if the company is not suspended. */
  readonly suspended_at: string | null
  readonly suspended_reason: string | null
  /** When the balance counts as low. */
  readonly low_balance: StoredRule['lowBalance']
  /** Of the rule AMOUNT; null otherwise. */
  readonly low_balance_micros: string | null
}

const NOT_SUSPENDED = { suspended_at: null, suspended_reason: null }

export const companies: Projection<CompanyRow, CompanyEvent> = {
  name: 'companies',
  version: 2,
  categories: ['company'],
  table: 'companies',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['company_id'],
  rowsOf: (event) => [{ company_id: event.data.companyId }],
  evolve: (row, event) => {
    if (event.type === 'CompanyRegistered') {
      const { companyId, name, billingMode, hardCap, registeredAt } = event.data
      return {
        company_id: companyId,
        name,
        billing_mode: billingMode,
        hard_cap: hardCap,
        registered_at: registeredAt,
        ...NOT_SUSPENDED,
        low_balance: 'DEFAULT',
        low_balance_micros: null,
      }
    }
    if (!row) throw new Error(`${event.type} of company ${event.data.companyId}, which was never registered`)
    switch (event.type) {
      case 'BillingModeChanged':
        return { ...row, billing_mode: event.data.billingMode }
      case 'HardCapChanged':
        return { ...row, hard_cap: event.data.hardCap }
      case 'CompanySuspended':
        return { ...row, suspended_at: event.data.suspendedAt, suspended_reason: event.data.reason }
      case 'CompanyResumed':
        return { ...row, ...NOT_SUSPENDED }
      case 'NoticeSettingsChanged':
        return { ...row, low_balance: event.data.lowBalance, low_balance_micros: event.data.lowBalanceMicros }
      case 'PaymentCustomerAssigned':
      case 'RoleAssigned':
      case 'UserRemoved':
      case 'WebhookEndpointCreated':
      case 'WebhookEndpointDisabled':
      case 'WebhookEndpointDeleted':
      case 'UserInvited':
      case 'InvitationAccepted':
      case 'InvitationWithdrawn':
      case 'CompanyAccessed':
        return row
      default:
        return unexpected(event)
    }
  },
}
