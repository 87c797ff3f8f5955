import type { InvoiceFacts } from '../../../../contracts/events/invoice.ts'
import type { SubscriptionFacts } from '../../../../contracts/events/subscription.ts'
import { type EventNamed, grouped, ofCategory, only } from '../events.ts'
import { disputes } from './disputes.ts'
import { type Fold, later, type Row } from './fold.ts'
import { newest } from './reports.ts'
import { topUps } from './topUps.ts'

const purchases: Fold = {
  table: 'purchases',
  key: ['purchase_id'],
  rowsOf: (events) => {
    const all = grouped(ofCategory(events, 'purchase'), ({ stream }) => stream)
    return only(events, 'PurchaseStarted').map(({ data, stream }): Row => {
      const own = all.get(stream) ?? []
      const opened = only(own, 'PurchaseCheckoutOpened').at(-1)?.data
      const completed = only(own, 'PurchaseCompleted').at(-1)?.data
      const end = only(own, 'PurchaseCompleted', 'PurchaseFailed', 'PurchaseExpired').at(-1)
      const failed = only(own, 'PurchaseFailed').at(-1)
      const taken = only(own, 'PurchaseCreditsTakenBack').reduce((sum, one) => sum + BigInt(one.data.amountMicros), 0n)
      const returned = only(own, 'PurchaseCreditsCorrected')
        .filter((one) => one.data.refundId !== null)
        .reduce((sum, one) => sum + BigInt(one.data.amountMicros), 0n)
      return {
        purchase_id: data.purchaseId,
        company_id: data.companyId,
        user_id: data.userId,
        pack_id: data.packId,
        status: end ? END_OF_PURCHASE[end.type] : 'PENDING',
        credits_micros: data.creditsMicros,
        price: data.price,
        currency: data.currency,
        session_id: completed?.sessionId ?? opened?.sessionId,
        expires_at: opened?.expiresAt,
        failure_reason: completed ? null : failed?.data.reason,
        payment_intent_id: completed?.paymentIntentId,
        refunded_micros: taken - returned,
        started_at: data.startedAt,
        completed_at: completed?.completedAt,
      }
    })
  },
}

const END_OF_PURCHASE = { PurchaseCompleted: 'COMPLETED', PurchaseFailed: 'FAILED', PurchaseExpired: 'EXPIRED' }

const INVOICE_REPORTS = [
  'InvoiceFinalized',
  'InvoicePaid',
  'InvoicePaymentFailed',
  'InvoiceActionRequired',
  'InvoiceFinalizationFailed',
  'InvoiceVoided',
  'InvoiceMarkedUncollectible',
  'InvoiceAnswered',
] as const

const invoices: Fold = {
  table: 'invoices',
  key: ['invoice_id'],
  rowsOf: (events) =>
    [...grouped(ofCategory(events, 'invoice'), ({ stream }) => stream).values()].map((own): Row => {
      const reports = only(own, ...INVOICE_REPORTS).map(({ type, data }) => ({
        facts: data.facts,
        saidAt: data.saidAt,
        askedAt: 'askedAt' in data ? data.askedAt : undefined,
        always: type === 'InvoicePaid',
      }))
      const known = newest<InvoiceFacts>(reports, ({ status }) => status === 'PAID' || status === 'VOID')
      const drafted = only(own, 'UsageInvoiceDrafted').at(-1)?.data
      const { invoiceId, companyId } = (own[0] as EventNamed<'InvoicePaid'>).data
      return {
        invoice_id: invoiceId,
        company_id: companyId,
        status: known?.facts.status ?? 'DRAFT',
        provider_invoice_id: known?.facts.providerInvoiceId,
        subscription_id: known?.facts.subscriptionId,
        amount_minor: known?.facts.amountMinor ?? 0,
        currency: known?.facts.currency ?? '',
        issued_at: known?.facts.issuedAt,
        due_at: known?.facts.dueAt,
        paid_at: known?.facts.paidAt,
        pay_url: known?.facts.payUrl,
        pdf_url: known?.facts.pdfUrl,
        month: drafted?.month,
        credits_micros: drafted?.creditsMicros,
        lines: drafted?.lines,
        said_at: known?.saidAt,
        answered: known?.isSettled ?? false,
      }
    }),
}

const SUBSCRIPTION_REPORTS = [
  'SubscriptionCreated',
  'SubscriptionUpdated',
  'SubscriptionPaused',
  'SubscriptionResumed',
  'SubscriptionCanceled',
  'SubscriptionTrialEnding',
  'SubscriptionAnswered',
] as const

/** Without the plan of the next period and the times of the last report, which follow from the order of arrival. */
const subscriptions: Fold = {
  table: 'subscriptions',
  key: ['subscription_id'],
  rowsOf: (events) =>
    [...grouped(ofCategory(events, 'subscription'), ({ stream }) => stream).values()].map((own): Row => {
      const { subscriptionId, companyId } = (own[0] as EventNamed<'SubscriptionCreated'>).data
      const deactivated = only(own, 'SubscriptionDeactivated').at(-1)?.data
      const ids = { subscription_id: subscriptionId, company_id: companyId }
      if (deactivated) return { ...ids, status: 'CANCELED' }
      const reports = only(own, ...SUBSCRIPTION_REPORTS).map(({ data }) => ({
        facts: data.facts,
        saidAt: data.saidAt,
        askedAt: 'askedAt' in data ? data.askedAt : undefined,
      }))
      const known = newest<SubscriptionFacts>(reports, ({ status }) => status === 'CANCELED')
      const checkout = only(own, 'SubscriptionCheckedOut').at(-1)?.data
      const duplicate = only(own, 'SubscriptionDuplicateFound', 'SubscriptionDuplicateEnded').at(-1)?.data
      let renewal: EventNamed<'SubscriptionRenewalAnnounced'>['data'] | undefined
      for (const { data } of only(own, 'SubscriptionRenewalAnnounced')) {
        if (!renewal || later(renewal.saidAt, data.saidAt) !== renewal.saidAt) renewal = data
      }
      return {
        ...ids,
        status: known?.facts.status ?? (checkout ? 'ACTIVE' : 'INCOMPLETE'),
        plan_id: known ? known.facts.planId : checkout?.planId,
        started_at: known?.facts.startedAt,
        ended_at: known?.facts.endedAt,
        trial_end_at: known?.facts.trialEndAt,
        period_end_at: known?.facts.periodEndAt,
        cancel_at_period_end: known?.facts.cancelAtPeriodEnd ?? false,
        duplicate_of: duplicate?.keptSubscriptionId,
        duplicate_ended_at: only(own, 'SubscriptionDuplicateEnded').at(-1)?.data.endedAt,
        said_at: known?.saidAt,
        answered: known?.isSettled ?? false,
        renews_at: renewal?.renewsAt,
        renewal_minor: renewal?.amountMinor,
        renewal_currency: renewal?.currency,
        renewal_said_at: renewal?.saidAt,
      }
    }),
}

const webhooks: Fold = {
  table: 'webhooks',
  key: ['event_id'],
  rowsOf: (events) => {
    const attempts = grouped(
      only(events, 'WebhookProcessed', 'WebhookFailed', 'WebhookReplayed'),
      ({ data }) => data.eventId,
    )
    return only(events, 'WebhookReceived').map(({ data }): Row => {
      const own = attempts.get(data.eventId) ?? []
      const last = own.at(-1)
      const processed = last?.type === 'WebhookProcessed' ? last.data : null
      const failed = last?.type === 'WebhookFailed' ? last.data : null
      return {
        event_id: data.eventId,
        type: data.type,
        status: processed ? 'PROCESSED' : failed ? 'FAILED' : 'RECEIVED',
        attempt: last?.data.attempt ?? 1,
        effect: only(own, 'WebhookProcessed').at(-1)?.data.effect,
        error: failed?.error,
        received_at: data.receivedAt,
        processed_at: processed?.processedAt ?? failed?.failedAt,
      }
    })
  },
}

export const paymentFolds: readonly Fold[] = [disputes, purchases, invoices, subscriptions, topUps, webhooks]
