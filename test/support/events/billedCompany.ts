import { randomUUID } from 'node:crypto'
import type { BillingMode } from '../../../contracts/events/company.ts'
import type { InvoiceFacts } from '../../../contracts/events/invoice.ts'
import { streamName } from '../../../contracts/streams.ts'
import { invoiceDecider } from '../../../domain/invoice/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import type { GatewayHarness, TestKey } from '../harness/gatewayHarness.ts'
import { invoiceFacts } from './billingEvents.ts'

const FINALIZED = { type: 'RecordInvoice', news: { type: 'InvoiceFinalized' }, answer: null } as const
const PAYMENT_FAILED = {
  type: 'RecordInvoice',
  news: { type: 'InvoicePaymentFailed', nextAttemptAt: null },
  answer: null,
} as const
const PAID = { type: 'RecordPayment', grant: null, refundId: randomUUID() } as const
const CONTEXT = { correlationId: 'test', actor: { kind: 'system', name: 'test' } } as const

export type BilledCompany = {
  readonly key: TestKey
  finalized(facts: Partial<InvoiceFacts>): Promise<unknown>
  paymentFailed(): Promise<unknown>
  paid(facts: Partial<InvoiceFacts>): Promise<unknown>
}

/** A company with credits and one invoice whose state at the payment provider a test changes. */
export async function billedCompany(gateway: GatewayHarness, billingMode: BillingMode): Promise<BilledCompany> {
  const companyId = await gateway.registerCompany({ billingMode, credits: '100' })
  const invoiceId = `in_${companyId}`
  const { engines, clock } = gateway.runtime
  const record = (what: typeof FINALIZED | typeof PAYMENT_FAILED | typeof PAID, facts: Partial<InvoiceFacts>) => {
    const about = { invoiceId, companyId, saidAt: isoTime(clock.now()), facts: invoiceFacts(facts) }
    const context = { commandId: randomUUID(), ...CONTEXT }
    return engines.commands.handle(invoiceDecider, streamName('invoice', invoiceId), { ...what, ...about }, context)
  }
  return {
    key: await gateway.mintKey(companyId),
    finalized: (facts) => record(FINALIZED, facts),
    paymentFailed: () => record(PAYMENT_FAILED, { status: 'PAYMENT_FAILED', dueAt: null }),
    paid: (facts) => record(PAID, { status: 'PAID', ...facts }),
  }
}
