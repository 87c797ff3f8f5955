import type { Clock } from '../../platform/clock/clock.ts'
import { Pauses } from '../../platform/clock/pauses.ts'
import type { Runtime } from '../installation.ts'
import type { PaymentProvider } from '../payments/paymentProvider.ts'
import type { UsageInvoices } from '../payments/usageInvoices.ts'

/** What the billing of postpaid companies needs. */
export type PostpaidParts = Pick<Runtime, 'clock' | 'log'> & {
  readonly engines: Pick<Runtime['engines'], 'database' | 'store' | 'commands' | 'ledger' | 'personal'>
  readonly provider: Pick<PaymentProvider, 'createCustomer'>
  readonly usageInvoices: Pick<UsageInvoices, 'ensureContact' | 'find' | 'create' | 'complete'>
}

const DONE_PAUSE_MS = 3_000
const FAILED_PAUSE_MS = 15_000

/** On the monotonic clock: setting the clock back by a month must not cause a pause of a month. */
export function monthPauses(clock: Pick<Clock, 'monotonicMs'>): Pauses {
  return new Pauses({ nowMs: () => clock.monotonicMs(), doneMs: DONE_PAUSE_MS, failedMs: FAILED_PAUSE_MS })
}
