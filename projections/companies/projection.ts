import type { BillingMode, CompanyEvent } from '../../contracts/events/company.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type CompanyRow = {
  readonly company_id: string
  readonly name: string
  readonly billing_mode: BillingMode
  readonly hard_cap: boolean
  readonly registered_at: string
}

export const companies: Projection<CompanyRow, CompanyEvent> = {
  name: 'companies',
  version: 1,
  categories: ['company'],
  table: 'companies',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['company_id'],
  rowsOf: (event) => [{ company_id: event.data.companyId }],
  evolve: (row, event) => {
    if (event.type === 'CompanyRegistered') {
      const { companyId, name, billingMode, hardCap, registeredAt } = event.data
      return { company_id: companyId, name, billing_mode: billingMode, hard_cap: hardCap, registered_at: registeredAt }
    }
    if (!row) throw new Error(`${event.type} of company ${event.data.companyId}, which was never registered`)
    switch (event.type) {
      case 'BillingModeChanged':
        return { ...row, billing_mode: event.data.billingMode }
      case 'HardCapChanged':
        return { ...row, hard_cap: event.data.hardCap }
      case 'PaymentCustomerAssigned':
      case 'RoleAssigned':
      case 'UserRemoved':
        return row
      default:
        return unexpected(event)
    }
  },
}
