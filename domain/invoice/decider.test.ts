import { describe, expect, test } from 'vitest'
import type { InvoiceEvent, InvoiceFacts } from '../../contracts/events/invoice.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { COMPANY, GRANT, invoiceFacts, REFUND, second } from '../../test/support/events/billingEvents.ts'
import { type InvoiceCommand, invoiceDecider, isOverdue } from './decider.ts'

const given = specificationOf(invoiceDecider)
const about = { invoiceId: 'in_1', companyId: COMPANY }
const PAID = { status: 'PAID', paidAt: second(6) } as const

type Changes = Partial<InvoiceFacts>
const finalized = (n: number, changes: Changes = {}): InvoiceEvent => ({
  type: 'InvoiceFinalized',
  data: { ...about, saidAt: second(n), facts: invoiceFacts(changes) },
})
const WELL_AFTER = second(30)
const answered = (n: number, changes: Changes = {}, askedAt = WELL_AFTER): InvoiceEvent => ({
  type: 'InvoiceAnswered',
  data: { ...about, saidAt: second(n), facts: invoiceFacts(changes), askedAt },
})
const failed = (n: number): InvoiceEvent => ({
  type: 'InvoicePaymentFailed',
  data: { ...about, saidAt: second(n), facts: invoiceFacts({ status: 'PAYMENT_FAILED' }), nextAttemptAt: second(50) },
})
const paid = (n: number): InvoiceEvent => ({
  type: 'InvoicePaid',
  data: {
    ...about,
    saidAt: second(n),
    facts: invoiceFacts(PAID),
    grant: { grantId: GRANT, creditsMicros: '5000000000', lot: null },
  },
})
const seen = (refundedMinor: string): InvoiceEvent => ({
  type: 'InvoiceRefundSeen',
  data: { ...about, chargedMinor: '4900', refundedMinor, saidAt: second(9), askedAt: null },
})

const fail = (n: number, answer: Changes | null = null): InvoiceCommand => ({
  type: 'RecordInvoice',
  ...about,
  saidAt: second(n),
  news: { type: 'InvoicePaymentFailed', nextAttemptAt: second(50) },
  facts: invoiceFacts({ status: 'PAYMENT_FAILED' }),
  answer: answer && { facts: invoiceFacts(answer), askedAt: WELL_AFTER },
})
const pay = (n: number): InvoiceCommand => ({
  type: 'RecordPayment',
  ...about,
  saidAt: second(n),
  facts: invoiceFacts(PAID),
  grant: { grantId: GRANT, creditsMicros: '5000000000', lot: null },
  refundId: REFUND,
})
const refund = (refundedMinor: string): InvoiceCommand => ({
  type: 'RefundInvoice',
  ...about,
  saidAt: second(9),
  refund: { chargedMinor: '4900', refundedMinor },
  refundId: REFUND,
  answer: null,
})

test('a report on an open invoice is recorded', () => {
  given(finalized(1)).when(fail(3)).then(failed(3))
  given(finalized(5)).when(fail(3)).then(failed(3))
})

test('the reason why an invoice could not be finalized is recorded', () => {
  const news = { type: 'InvoiceFinalizationFailed', reason: 'no tax address' } as const
  const report = { ...about, saidAt: second(1), facts: invoiceFacts({ status: 'FINALIZATION_FAILED' }) }
  given()
    .when({ type: 'RecordInvoice', ...report, news, answer: null })
    .then({ type: 'InvoiceFinalizationFailed', data: { ...report, reason: 'no tax address' } })
})

describe('ending a usage invoice by hand', () => {
  const usage = { month: '2026-02', creditsMicros: '7000000' }
  const drafted: InvoiceEvent = {
    type: 'UsageInvoiceDrafted',
    data: { ...about, ...usage, lines: [], draftedAt: second(1) },
  }
  const end = (
    outcome: 'SETTLED' | 'VOIDED',
    status: InvoiceFacts['status'],
    reason = ' by bank ',
  ): InvoiceCommand => ({
    ...{ type: 'EndUsageInvoice', ...about, outcome, facts: invoiceFacts({ status }) },
    ...{ reason, by: REFUND, at: second(20) },
  })
  const ended = (outcome: 'SETTLED' | 'VOIDED'): InvoiceEvent => ({
    type: 'UsageInvoiceEnded',
    data: { ...about, month: usage.month, outcome, reason: 'by bank', endedBy: REFUND, endedAt: second(20) },
  })
  const report = (status: InvoiceFacts['status']) => ({ ...about, saidAt: second(20), facts: invoiceFacts({ status }) })

  test('as settled records its payment and settles its credits, once', () => {
    const paidByHand: InvoiceEvent[] = [
      { type: 'InvoicePaid', data: { ...report('PAID'), grant: null } },
      { type: 'UsageInvoiceSettled', data: { ...about, ...usage, settledAt: second(20) } },
    ]
    given(drafted, finalized(2))
      .when(end('SETTLED', 'PAID'))
      .then(ended('SETTLED'), ...paidByHand)
    given(drafted, finalized(2), ...paidByHand)
      .when(end('SETTLED', 'PAID'))
      .then(ended('SETTLED'))
  })

  test('as void records that nothing is owed for it', () => {
    const voided: InvoiceEvent = { type: 'InvoiceVoided', data: report('VOID') }
    given(drafted, finalized(2)).when(end('VOIDED', 'VOID')).then(ended('VOIDED'), voided)
    given(drafted, finalized(2), voided).when(end('VOIDED', 'VOID')).then(ended('VOIDED'))
  })

  test('is refused without a reason, for other invoices, and if the provider says otherwise', () => {
    given(drafted)
      .when(end('VOIDED', 'VOID', ' '))
      .thenThrows('INVALID', /reason/)
    given(finalized(2))
      .when(end('VOIDED', 'VOID'))
      .thenThrows('INVALID', /not for the usage/)
    given(drafted)
      .when(end('VOIDED', 'OPEN'))
      .thenThrows('CONFLICT', /OPEN at the provider/)
  })
})

describe('a paid invoice', () => {
  test('grants its credits once, whatever came before', () => {
    given().when(pay(6)).then(paid(6))
    given(failed(9)).when(pay(6)).then(paid(6))
    given(paid(6)).when(pay(6)).thenNothing()
    given(paid(6)).when(pay(8)).thenNothing()
  })

  test('that is known as paid only from an answer still grants them on InvoicePaid', () => {
    given(answered(9, PAID)).when(pay(6)).then(paid(6))
  })

  test('stays paid', () => {
    given(paid(6)).when(fail(8)).thenNothing()
    given(paid(6)).when(fail(6)).thenNothing()
  })
})

describe('two events of one second that disagree', () => {
  test('cannot be recorded without asking the provider', () => {
    given(finalized(3))
      .when(fail(3))
      .thenThrows('CONFLICT', /has to be asked/)
  })

  test('are settled by its answer; a failure that has passed sends no notification', () => {
    given(finalized(3)).when(fail(3, {})).then(failed(3), answered(3))
    given(finalized(3)).when(fail(3, PAID)).then(answered(3, PAID))
    given(finalized(3), answered(3)).when(fail(3)).then(failed(3))
  })

  test('are settled only by a question after that second: a later failure in it is asked about again', () => {
    given(finalized(3), answered(3, {}, '2026-03-01T10:00:03.300Z'))
      .when(fail(3))
      .thenThrows('CONFLICT', /has to be asked/)
  })
})

describe('a refund', () => {
  const takenBack = (amountMicros: string, takenBackAt: string): InvoiceEvent => ({
    type: 'InvoiceCreditsTakenBack',
    data: { ...about, refundId: REFUND, amountMicros, totalMicros: amountMicros, takenBackAt },
  })

  test('takes back what the invoice granted, in proportion', () => {
    given(paid(6))
      .when(refund('2450'))
      .then(seen('2450'), takenBack('2500000000', second(9)))
    given(paid(6), seen('2450'), takenBack('2500000000', second(9)))
      .when(refund('2450'))
      .thenNothing()
  })

  test('that arrives before the payment waits for it', () => {
    given(finalized(1)).when(refund('4900')).then(seen('4900'))
    given(seen('4900'))
      .when(pay(6))
      .then(paid(6), takenBack('5000000000', second(6)))
  })
})

describe('an invoice is overdue', () => {
  const now = Date.parse('2026-03-15T10:00:00.000Z')
  const dueAt = '2026-03-15T10:00:00.000Z'

  test('from its due date on, to the millisecond, or when a payment failed', () => {
    expect(isOverdue({ status: 'OPEN', dueAt }, now)).toBe(true)
    expect(isOverdue({ status: 'OPEN', dueAt }, now - 1)).toBe(false)
    expect(isOverdue({ status: 'ACTION_REQUIRED', dueAt }, now)).toBe(true)
    expect(isOverdue({ status: 'PAYMENT_FAILED', dueAt: null }, 0)).toBe(true)
    expect(isOverdue({ status: 'UNCOLLECTIBLE', dueAt: null }, 0)).toBe(true)
  })

  test('not without a date, not before it is finalized, not when it is paid or void', () => {
    expect(isOverdue({ status: 'OPEN', dueAt: null }, now)).toBe(false)
    for (const status of ['DRAFT', 'FINALIZATION_FAILED', 'PAID', 'VOID'] as const) {
      expect(isOverdue({ status, dueAt }, now)).toBe(false)
    }
  })
})

describe('an invoice for the usage of a postpaid company', () => {
  const draft = { month: '2026-02', creditsMicros: '5000000' }
  const drafted: InvoiceEvent = {
    type: 'UsageInvoiceDrafted',
    data: { ...about, ...draft, lines: [], draftedAt: second(0) },
  }
  const settled = (n: number): InvoiceEvent => ({
    type: 'UsageInvoiceSettled',
    data: { ...about, ...draft, settledAt: second(n) },
  })
  const pay: InvoiceCommand = {
    type: 'RecordPayment',
    ...about,
    saidAt: second(6),
    facts: invoiceFacts(PAID),
    grant: null,
    refundId: REFUND,
  }
  const paidWithoutGrant = {
    type: 'InvoicePaid',
    data: { ...about, saidAt: second(6), facts: invoiceFacts(PAID), grant: null },
  }
  const record: InvoiceCommand = { type: 'DraftUsageInvoice', ...about, ...draft, lines: [], at: second(0) }

  test('is settled by its payment, once, and grants nothing', () => {
    given().when(record).then(drafted)
    given(drafted).when(record).thenNothing()
    given(drafted)
      .when(pay)
      .then(paidWithoutGrant as InvoiceEvent, settled(6))
    given(drafted, paidWithoutGrant as InvoiceEvent, settled(6))
      .when(pay)
      .thenNothing()
  })

  test('is also settled if the payment was reported before the draft was recorded', () => {
    given(paidWithoutGrant as InvoiceEvent)
      .when(record)
      .then(drafted, settled(0))
  })
})
