import type { PaymentProvider } from '../../platform/payments/paymentProvider.ts'
import type { UsageInvoices } from '../../platform/payments/usageInvoices.ts'
import type { Runtime } from '../../platform/runtime.ts'

/** What the billing of postpaid companies needs. */
export type PostpaidParts = Pick<Runtime, 'clock' | 'log'> & {
  readonly engines: Pick<Runtime['engines'], 'database' | 'store' | 'commands' | 'ledger' | 'personal'>
  readonly provider: Pick<PaymentProvider, 'createCustomer'>
  readonly usageInvoices: Pick<UsageInvoices, 'ensureContact' | 'find' | 'create' | 'complete'>
}
