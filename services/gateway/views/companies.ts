import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { BillingMode, CompanyEvent } from '../../../contracts/events/company.ts'
import { unexpected } from '../../../domain/decider.ts'
import type { CompanyRow } from '../../../projections/companies/projection.ts'

/** How each company pays. */
export class CompanyView {
  readonly #billingModes = new Map<string, BillingMode>()

  /** A company that is not known yet is treated as one that pays in advance: that refuses rather than gives away. */
  billingMode(companyId: string): BillingMode {
    return this.#billingModes.get(companyId) ?? 'PREPAID'
  }

  seed(rows: readonly CompanyRow[]): void {
    for (const row of rows) this.#billingModes.set(row.company_id, row.billing_mode)
  }

  apply(recorded: RecordedEvent): void {
    const event = recorded as unknown as CompanyEvent
    switch (event.type) {
      case 'CompanyRegistered':
      case 'BillingModeChanged':
        this.#billingModes.set(event.data.companyId, event.data.billingMode)
        return
      case 'HardCapChanged':
      case 'PaymentCustomerAssigned':
        return
      default:
        unexpected(event)
    }
  }
}
