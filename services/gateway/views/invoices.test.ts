import { expect, test } from 'vitest'
import type { InvoiceEvent, InvoiceFacts } from '../../../contracts/events/invoice.ts'
import { streamName } from '../../../contracts/streams.ts'
import { invoices } from '../../../projections/invoices/projection.ts'
import { applyEvents } from '../../../projections/projection.ts'
import { COMPANY, invoiceFacts, second } from '../../../test/support/events/billingEvents.ts'
import { history } from '../../../test/support/events/history.ts'
import { InvoiceView } from './invoices.ts'

const DUE = '2026-03-15T10:00:00.000Z'
const due = Date.parse(DUE)

const finalized = (n: number, invoiceId = 'in_1', facts: Partial<InvoiceFacts> = {}): InvoiceEvent => ({
  type: 'InvoiceFinalized',
  data: { invoiceId, companyId: COMPANY, saidAt: second(n), facts: invoiceFacts({ dueAt: DUE, ...facts }) },
})
const paid = (n: number, invoiceId = 'in_1'): InvoiceEvent => ({
  type: 'InvoicePaid',
  data: { invoiceId, companyId: COMPANY, saidAt: second(n), facts: invoiceFacts({ status: 'PAID' }), grant: null },
})
const failed = (n: number): InvoiceEvent => ({
  type: 'InvoicePaymentFailed',
  data: {
    invoiceId: 'in_1',
    companyId: COMPANY,
    saidAt: second(n),
    facts: invoiceFacts({ status: 'PAYMENT_FAILED', dueAt: null }),
    nextAttemptAt: null,
  },
})
const recorded = (...events: InvoiceEvent[]) => history(streamName('invoice', 'in_1'), ...events)

function followed(...events: InvoiceEvent[]): InvoiceView {
  const view = new InvoiceView()
  for (const event of recorded(...events)) view.apply(event)
  return view
}

function seeded(...events: InvoiceEvent[]): InvoiceView {
  const view = new InvoiceView()
  view.seed([...applyEvents(invoices, recorded(...events)).values()])
  return view
}

const hasOverdue = (view: InvoiceView, companyId: string, nowMs: number) => view.overdue(companyId, nowMs) !== null

test.each([
  ['followed', followed],
  ['seeded', seeded],
])('%s, the view knows which companies have an overdue invoice', (_, viewAfter) => {
  expect(hasOverdue(viewAfter(finalized(1)), COMPANY, due - 1)).toBe(false)
  expect(hasOverdue(viewAfter(finalized(1)), COMPANY, due)).toBe(true)
  expect(hasOverdue(viewAfter(finalized(1), failed(2)), COMPANY, 0)).toBe(true)
  expect(hasOverdue(viewAfter(failed(2), finalized(1)), COMPANY, 0)).toBe(true)
  expect(hasOverdue(viewAfter(finalized(1), failed(2), paid(3)), COMPANY, due)).toBe(false)
  expect(hasOverdue(viewAfter(finalized(1), finalized(1, 'in_2'), paid(3)), COMPANY, due)).toBe(true)
  expect(hasOverdue(viewAfter(finalized(1)), 'another', due)).toBe(false)
})
