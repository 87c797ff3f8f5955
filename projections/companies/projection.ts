import type { BillingMode, CompanyEvent } from '../../contracts/events/company.ts'
import { unexpected } from '../../domain/decider.ts'
import type { StoredRule } from '../../domain/ledger/lowBalanceRule.ts'
import type { Projection } from '../projection.ts'

export type CompanyRow = {
  readonly company_id: string
  readonly name: string
  readonly billing_mode: BillingMode
  readonly hard_cap: boolean
  /** The plan by which it pays or last paid as a POSTPAID company. */
  readonly plan_id: string | null
  /** Since when it has been POSTPAID with a plan, and until when. Its months are invoiced from the first to the second. */
  readonly postpaid_since: string | null
  readonly postpaid_until: string | null
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
const NEVER_POSTPAID = { plan_id: null, postpaid_since: null, postpaid_until: null }

export const companies: Projection<CompanyRow, CompanyEvent> = {
  name: 'companies',
  version: 3,
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
        ...NEVER_POSTPAID,
        registered_at: registeredAt,
        ...NOT_SUSPENDED,
        low_balance: 'DEFAULT',
        low_balance_micros: null,
      }
    }
    if (!row) throw new Error(`${event.type} of company ${event.data.companyId}, which was never registered`)
    switch (event.type) {
      case 'BillingModeChanged':
        return { ...row, billing_mode: event.data.billingMode, ...postpaidOf(row, event.data) }
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

type ModeChange = Extract<CompanyEvent, { type: 'BillingModeChanged' }>['data']

function postpaidOf(row: CompanyRow, { billingMode, planId, changedAt }: ModeChange) {
  if (billingMode === 'PREPAID') return { postpaid_until: row.postpaid_since === null ? null : changedAt }
  // An event of the first schema version names no plan, and nothing can be invoiced without one.
  if (planId === null) return {}
  const isNew = row.postpaid_since === null || row.postpaid_until !== null
  return { plan_id: planId, postpaid_since: isNew ? changedAt : row.postpaid_since, postpaid_until: null }
}
