import { expect, test } from 'vitest'
import type { InvoiceEvent, InvoiceFacts } from '../../contracts/events/invoice.ts'
import { streamName } from '../../contracts/streams.ts'
import { COMPANY, invoiceFacts, second } from '../../test/support/events/billingEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { applyEvents } from '../projection.ts'
import { invoices, linesOf } from './projection.ts'

const about = { invoiceId: 'in_1', companyId: COMPANY }
const report = (
  type: 'InvoiceFinalized' | 'InvoiceActionRequired',
  n: number,
  changes: Partial<InvoiceFacts> = {},
): InvoiceEvent => ({ type, data: { ...about, saidAt: second(n), facts: invoiceFacts(changes) } })
const paid = (n: number): InvoiceEvent => {
  const facts = invoiceFacts({ status: 'PAID', paidAt: second(n) })
  return { type: 'InvoicePaid', data: { ...about, saidAt: second(n), facts, grant: null } }
}
const rowsAfter = (...events: InvoiceEvent[]) => [
  ...applyEvents(invoices, history(streamName('invoice', 'in_1'), ...events)).values(),
]

test('an invoice has the newest description from the provider', () => {
  expect(rowsAfter(report('InvoiceFinalized', 1))).toEqual([
    {
      invoiceId: 'in_1',
      companyId: COMPANY,
      status: 'OPEN',
      providerInvoiceId: 'in_1',
      subscriptionId: 'sub_1',
      amountMinor: '4900',
      currency: 'usd',
      issuedAt: second(0),
      dueAt: '2026-03-15T10:00:00.000Z',
      paidAt: null,
      payUrl: 'https://pay.example/in_1',
      pdfUrl: 'https://pay.example/in_1/pdf',
      month: null,
      creditsMicros: null,
      lines: null,
      saidAt: second(1),
      answered: false,
    },
  ])
  const action = report('InvoiceActionRequired', 3, { status: 'ACTION_REQUIRED' })
  expect(rowsAfter(action, report('InvoiceFinalized', 1))).toMatchObject([{ status: 'ACTION_REQUIRED' }])
})

test('a paid invoice stays paid, with the data of its payment, whatever was known before', () => {
  expect(rowsAfter(report('InvoiceActionRequired', 9), paid(5))).toMatchObject([{ status: 'PAID', paidAt: second(5) }])
  expect(rowsAfter(paid(5), report('InvoiceActionRequired', 9))).toMatchObject([{ status: 'PAID' }])
  const facts = invoiceFacts({ status: 'PAID', paidAt: second(4) })
  const answer = { ...about, saidAt: second(9), facts, askedAt: second(10) }
  const answered: InvoiceEvent = { type: 'InvoiceAnswered', data: answer }
  expect(rowsAfter(answered, paid(5))).toEqual(rowsAfter(paid(5)))
})

test('a usage invoice has its month and lines, and is hidden until the provider reports it', () => {
  const usage = { kind: 'USAGE', alias: 'svc/chat-default', calls: 1, tokensIn: 10, tokensOut: 20 } as const
  const lines = [{ ...usage, creditsMicros: '5000000', amountMinor: '5' }]
  const draft = { month: '2026-02', creditsMicros: '5000000', lines, draftedAt: second(0) }
  const drafted: InvoiceEvent = { type: 'UsageInvoiceDrafted', data: { ...about, ...draft } }
  const settled = { month: '2026-02', creditsMicros: '5000000', settledAt: second(4) }
  const events = [drafted, report('InvoiceFinalized', 1), paid(3)]
  expect(rowsAfter(drafted)).toMatchObject([{ saidAt: null, month: '2026-02', creditsMicros: '5000000' }])
  const [row] = rowsAfter(...events, { type: 'UsageInvoiceSettled', data: { ...about, ...settled } })
  expect(row).toMatchObject({ status: 'PAID', month: '2026-02' })
  expect(row && linesOf(row)).toEqual(lines)
})

test('a refund that arrives before the invoice does not make it visible', () => {
  const refund = { chargedMinor: '4900', refundedMinor: '100', saidAt: second(2), askedAt: null }
  const seen: InvoiceEvent = { type: 'InvoiceRefundSeen', data: { ...about, ...refund } }
  expect(rowsAfter(seen)).toMatchObject([{ saidAt: null }])
  expect(rowsAfter(seen, report('InvoiceFinalized', 1))).toEqual(rowsAfter(report('InvoiceFinalized', 1)))
})
