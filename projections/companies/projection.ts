import type { BillingMode, CompanyEvent } from '../../contracts/events/company.ts'
import { unexpected } from '../../domain/decider.ts'
import type { StoredRule } from '../../domain/ledger/lowBalanceRule.ts'
import type { Projection } from '../projection.ts'

export type CompanyRow = {
  readonly companyId: string
  readonly name: string
  readonly billingMode: BillingMode
  readonly hardCap: boolean
  /** How far below zero the balance may go while it is POSTPAID; null if there is no limit. */
  readonly creditLimitMicros: string | null
  /** The plan of a POSTPAID company, current or last. */
  readonly planId: string | null
  /** When it became POSTPAID with a plan, and when it stopped. The months in between are invoiced. */
  readonly postpaidSince: string | null
  readonly postpaidUntil: string | null
  readonly registeredAt: string
  /** null if the company is not suspended. */
  readonly suspendedAt: string | null
  readonly suspendedReason: string | null
  /** When the balance counts as low. */
  readonly lowBalance: StoredRule['lowBalance']
  /** For the rule AMOUNT; null otherwise. */
  readonly lowBalanceMicros: string | null
}

const NOT_SUSPENDED = { suspendedAt: null, suspendedReason: null }
const NEVER_POSTPAID = { planId: null, postpaidSince: null, postpaidUntil: null }

export const companies: Projection<CompanyRow, CompanyEvent> = {
  name: 'companies',
  version: 4,
  categories: ['company'],
  table: 'companies',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['companyId'],
  rowsOf: (event) => [{ companyId: event.data.companyId }],
  evolve: (row, event) => {
    if (event.type === 'CompanyRegistered') {
      const { companyId, name, billingMode, hardCap, registeredAt } = event.data
      const notices = { lowBalance: 'DEFAULT', lowBalanceMicros: null } as const
      const mode = { billingMode, hardCap, creditLimitMicros: null }
      return { companyId, name, ...mode, registeredAt, ...NEVER_POSTPAID, ...NOT_SUSPENDED, ...notices }
    }
    if (!row) throw new Error(`${event.type} of company ${event.data.companyId}, which was never registered`)
    switch (event.type) {
      case 'BillingModeChanged':
        return { ...row, billingMode: event.data.billingMode, ...postpaidOf(row, event.data) }
      case 'HardCapChanged':
        return { ...row, hardCap: event.data.hardCap }
      case 'CreditLimitChanged':
        return { ...row, creditLimitMicros: event.data.limitMicros }
      case 'CompanySuspended':
        return { ...row, suspendedAt: event.data.suspendedAt, suspendedReason: event.data.reason }
      case 'CompanyResumed':
        return { ...row, ...NOT_SUSPENDED }
      case 'NoticeSettingsChanged':
        return { ...row, lowBalance: event.data.lowBalance, lowBalanceMicros: event.data.lowBalanceMicros }
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
  if (billingMode === 'PREPAID') return { postpaidUntil: row.postpaidSince === null ? null : changedAt }
  // An event of the first schema version names no plan, and without one nothing can be invoiced.
  if (planId === null) return {}
  const isNew = row.postpaidSince === null || row.postpaidUntil !== null
  return { planId, postpaidSince: isNew ? changedAt : row.postpaidSince, postpaidUntil: null }
}
