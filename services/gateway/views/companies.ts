import type { BillingMode, CompanyEvent } from '../../../contracts/events/company.ts'
import { unexpected } from '../../../domain/decider.ts'
import type { CompanyRow } from '../../../projections/companies/projection.ts'

/** The billing mode of each company, and whether it is suspended. */
export class CompanyView {
  readonly #billingModes = new Map<string, BillingMode>()
  readonly #hardCaps = new Set<string>()
  readonly #creditLimits = new Map<string, bigint>()
  readonly #suspended = new Set<string>()

  /** An unknown company counts as PREPAID: a call is refused rather than given away. */
  billingMode(companyId: string): BillingMode {
    return this.#billingModes.get(companyId) ?? 'PREPAID'
  }

  /** Whether the balance must never fall below its limit: zero, or the credit limit of a POSTPAID company, if it has one. */
  hasHardCap(companyId: string): boolean {
    if (!this.#hardCaps.has(companyId)) return false
    return this.billingMode(companyId) === 'PREPAID' || this.creditLimitMicros(companyId) !== null
  }

  /** How far below zero the balance of a POSTPAID company may go; null if there is no limit. */
  creditLimitMicros(companyId: string): bigint | null {
    return this.billingMode(companyId) === 'POSTPAID' ? (this.#creditLimits.get(companyId) ?? null) : null
  }

  /** Whether the operator has its calls refused. */
  isSuspended(companyId: string): boolean {
    return this.#suspended.has(companyId)
  }

  seed(rows: readonly CompanyRow[]): void {
    for (const row of rows) {
      this.#billingModes.set(row.companyId, row.billingMode)
      this.#setHardCap(row.companyId, row.hardCap)
      this.#setCreditLimit(row.companyId, row.creditLimitMicros)
      if (row.suspendedAt !== null) this.#suspended.add(row.companyId)
    }
  }

  apply(event: CompanyEvent): void {
    switch (event.type) {
      case 'CompanyRegistered':
        this.#setHardCap(event.data.companyId, event.data.hardCap)
        this.#billingModes.set(event.data.companyId, event.data.billingMode)
        return
      case 'BillingModeChanged':
        this.#billingModes.set(event.data.companyId, event.data.billingMode)
        return
      case 'HardCapChanged':
        this.#setHardCap(event.data.companyId, event.data.hardCap)
        return
      case 'CreditLimitChanged':
        this.#setCreditLimit(event.data.companyId, event.data.limitMicros)
        return
      case 'CompanySuspended':
        this.#suspended.add(event.data.companyId)
        return
      case 'CompanyResumed':
        this.#suspended.delete(event.data.companyId)
        return
      case 'NoticeSettingsChanged':
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
        return
      default:
        unexpected(event)
    }
  }

  #setCreditLimit(companyId: string, limitMicros: string | null): void {
    if (limitMicros === null) this.#creditLimits.delete(companyId)
    else this.#creditLimits.set(companyId, BigInt(limitMicros))
  }

  #setHardCap(companyId: string, isOn: boolean): void {
    if (isOn) this.#hardCaps.add(companyId)
    else this.#hardCaps.delete(companyId)
  }
}
