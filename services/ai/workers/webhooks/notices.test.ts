import { describe, expect, test } from 'vitest'
import type { Recorded } from '../../../../contracts/envelope.ts'
import type { EventOf } from '../../../../contracts/events/eventsByCategory.ts'
import type { InvoiceStatus } from '../../../../contracts/events/invoice.ts'
import type { LedgerEvent } from '../../../../contracts/events/ledger.ts'
import type { SubscriptionEvent } from '../../../../contracts/events/subscription.ts'
import { streamName } from '../../../../contracts/streams.ts'
import {
  COMPANY,
  disputeFacts,
  disputeOpened,
  invoiceFacts,
  PLAN,
  PURCHASE,
  second,
  subscriptionFacts,
} from '../../../../test/support/events/billingEvents.ts'
import { history } from '../../../../test/support/events/history.ts'
import { AT, charged, granted } from '../../../../test/support/events/ledgerEvents.ts'
import { mailsAfter, mailTask } from '../email/mailCauses.ts'
import type { Notice } from '../worker.ts'
import { noticesAfter, noticesOfMails } from './notices.ts'

const NOW_MS = Date.parse(AT)
const DAY_MS = 24 * 60 * 60_000

type Reported = EventOf<'ledger' | 'invoice' | 'subscription' | 'company' | 'dispute'>

/** The messages that follow from the events of a stream, each with the number of its event. */
function noticesOf(events: readonly Recorded<Reported>[], nowMs = NOW_MS): (Notice & { readonly after: number })[] {
  let memory: unknown = null
  return events.flatMap((event, after) => {
    const mails = mailsAfter(event, memory, nowMs, new Map())
    // As it is stored between events.
    const before = memory === null ? null : JSON.parse(JSON.stringify(memory))
    const { notices = [], memory: kept = mails.memory } = noticesAfter(event, { before, after: mails.memory }, nowMs)
    memory = kept ?? memory
    return notices.map((notice) => ({ ...notice, after }))
  })
}
const summary = (events: readonly Recorded<Reported>[], nowMs?: number) =>
  noticesOf(events, nowMs).map(({ type, after }) => `${after} ${type}`)

describe('a balance', () => {
  const ledger = (...amounts: number[]) =>
    history(
      streamName('ledger', COMPANY),
      ...amounts.map((amount): LedgerEvent => {
        const amountMicros = String(Math.abs(amount))
        return amount > 0 ? granted(COMPANY, { amountMicros }) : charged(COMPANY, { amountMicros })
      }),
    )

  test('is reported when it becomes low and when it is used up, each time once', () => {
    expect(summary(ledger(1_000, -900, -1, -50, -49, -10, 1_000, -990))).toEqual([
      '2 balance.low',
      '4 balance.exhausted',
      '7 balance.exhausted',
      '7 balance.low',
    ])
  })

  test('is reported under the id of its event; two messages of one event have two ids, always the same', () => {
    const events = ledger(1_000, -1_000)
    const [exhausted, low] = noticesOf(events)
    expect(exhausted).toMatchObject({ type: 'balance.exhausted', messageId: events[1]?.id, companyId: COMPANY })
    expect(low?.type).toBe('balance.low')
    expect(low?.messageId).not.toBe(events[1]?.id)
    expect(noticesOf(events).map(({ messageId }) => messageId)).toEqual([exhausted?.messageId, low?.messageId])
    const [single] = noticesOf(ledger(100_000_000, -95_000_000))
    expect(single?.data).toEqual({ companyId: COMPANY, credits: 5, amountMicros: '5000000' })
  })

  test('is not reported a week later', () => {
    expect(summary(ledger(1_000, -1_000), NOW_MS + 8 * DAY_MS)).toEqual([])
  })
})

describe('an invoice', () => {
  const report = (
    type: 'InvoiceFinalized' | 'InvoicePaymentFailed' | 'InvoicePaid',
    status: InvoiceStatus,
    n: number,
  ) => {
    const data = { invoiceId: 'in_1', companyId: COMPANY, saidAt: second(n), facts: invoiceFacts({ status }) }
    if (type === 'InvoicePaid') return { type, data: { ...data, grant: null } }
    return type === 'InvoiceFinalized' ? { type, data } : { type, data: { ...data, nextAttemptAt: null } }
  }
  const invoice = (...events: ReturnType<typeof report>[]) =>
    history(streamName('invoice', 'in_1'), ...(events as EventOf<'invoice'>[]))

  test('is reported once when it is open and once when it is paid', () => {
    const events = invoice(
      report('InvoiceFinalized', 'OPEN', 1),
      report('InvoiceFinalized', 'OPEN', 1),
      report('InvoicePaymentFailed', 'PAYMENT_FAILED', 2),
      report('InvoicePaid', 'PAID', 3),
      report('InvoicePaid', 'PAID', 3),
    )
    expect(summary(events)).toEqual(['0 invoice.open', '3 invoice.paid'])
    const [open] = noticesOf(events)
    const amount = { amount: 49, currency: 'usd', status: 'OPEN', payUrl: 'https://pay.example/in_1' }
    expect(open).toMatchObject({ messageId: events[0]?.id, data: { companyId: COMPANY, invoiceId: 'in_1', ...amount } })
  })

  test('is not reported as open after it was paid, in whatever order the provider reports', () => {
    const events = invoice(report('InvoicePaid', 'PAID', 3), report('InvoiceFinalized', 'OPEN', 1))
    expect(summary(events)).toEqual(['0 invoice.paid'])
  })
})

describe('a subscription', () => {
  const report = (type: 'SubscriptionCreated' | 'SubscriptionUpdated', n: number, changes = {}): SubscriptionEvent => ({
    type,
    data: { subscriptionId: 'sub_1', companyId: COMPANY, saidAt: second(n), facts: subscriptionFacts(changes) },
  })

  test('is reported when it has changed, and not when the provider repeats itself or is late', () => {
    const scheduled: SubscriptionEvent = {
      type: 'SubscriptionPlanScheduled',
      data: { subscriptionId: 'sub_1', companyId: COMPANY, planId: PLAN, scheduledAt: second(5) },
    }
    const events = history(
      streamName('subscription', 'sub_1'),
      report('SubscriptionCreated', 1),
      report('SubscriptionUpdated', 3, { cancelAtPeriodEnd: true }),
      report('SubscriptionUpdated', 3, { cancelAtPeriodEnd: true }),
      report('SubscriptionUpdated', 2, { status: 'PAST_DUE' }),
      scheduled,
    )
    expect(summary(events)).toEqual(['0 subscription.changed', '1 subscription.changed', '4 subscription.changed'])
    expect(noticesOf(events)[2]?.data).toMatchObject({ status: 'ACTIVE', cancelAtPeriodEnd: true, nextPlanId: PLAN })
  })
})

test('a suspension is reported with its reason, and a resumption is not', () => {
  const events = history(
    streamName('company', COMPANY),
    { type: 'CompanySuspended', data: { companyId: COMPANY, reason: 'abuse', disputeId: null, suspendedAt: AT } },
    { type: 'CompanyResumed', data: { companyId: COMPANY, resumedAt: AT } },
  )
  expect(summary(events)).toEqual(['0 company.suspended'])
  expect(noticesOf(events)[0]).toMatchObject({
    messageId: events[0]?.id,
    data: { companyId: COMPANY, reason: 'abuse' },
  })
})

test('a dispute is reported when it is opened and when it ends', () => {
  const opened = disputeOpened()
  const { disputeId } = opened.data
  const report = (status: 'UNDER_REVIEW' | 'WON', n: number) => {
    return { disputeId, companyId: COMPANY, facts: disputeFacts({ status }), saidAt: second(n), askedAt: null }
  }
  const events = history(
    streamName('dispute', disputeId),
    opened,
    { type: 'DisputeUpdated', data: report('UNDER_REVIEW', 8) },
    { type: 'DisputeClosed', data: report('WON', 9) },
  )
  const nowMs = Date.parse(second(30))
  expect(summary(events, nowMs)).toEqual(['0 dispute.opened', '2 dispute.closed'])
  expect(noticesOf(events, nowMs).map(({ data }) => data)).toMatchObject([
    { disputeId, status: 'NEEDS_RESPONSE', amount: 10, currency: 'usd', purchaseId: PURCHASE, invoiceId: null },
    { disputeId, status: 'WON', amount: 10, currency: 'usd' },
  ])
})

describe('messages that become due', () => {
  const key = { keyId: COMPANY, name: 'production', hint: 'tg_abcde' }

  test('include each expiry of a key once', () => {
    const expiring = (expiresAt: string) =>
      noticesOfMails(
        [mailTask('key expiring: 1', { kind: 'key_expiring', companyId: COMPANY, at: AT, ...key, expiresAt })],
        AT,
      )
    const [notice] = expiring(second(1))
    expect(notice).toMatchObject({ type: 'key.expiring', at: AT, data: { ...key, expiresAt: second(1) } })
    expect(expiring(second(1))[0]?.messageId).toBe(notice?.messageId)
    expect(expiring(second(2))[0]?.messageId).not.toBe(notice?.messageId)
  })

  test('include budgets that are used up, and not before', () => {
    const amounts = { spentMicros: '5000001', budgetMicros: '5000000' }
    const budget = (percent: number) =>
      mailTask(`key budget ${percent}`, {
        ...{ kind: 'key_budget', companyId: COMPANY, at: AT, ...key, percent, ...amounts, period: 'DAY' },
      })
    const notices = noticesOfMails([budget(80), budget(100)], AT)
    expect(notices).toMatchObject([
      {
        type: 'key.budget_reached',
        data: { ...key, period: 'DAY', budget: { credits: 5 }, spent: { credits: 5.000001, amountMicros: '5000001' } },
      },
    ])
  })
})
