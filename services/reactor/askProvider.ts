import {
  type ChargeObject,
  type InvoiceObject,
  invoiceFactsOf,
  ownId,
  type SessionObject,
} from '../../capabilities/payments/providerObjects.ts'
import type { InvoiceStatus } from '../../contracts/events/invoice.ts'
import type { PaymentEventType } from '../../contracts/events/paymentEvent.ts'
import { streamName } from '../../contracts/streams.ts'
import { invoiceDecider } from '../../domain/invoice/decider.ts'
import { purchaseDecider } from '../../domain/purchase/decider.ts'
import { subscriptionDecider } from '../../domain/subscription/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { releaseLease, takeLease } from '../../platform/leases/leases.ts'
import { openInvoicesAfter } from '../../projections/invoices/queries.ts'
import { ASK_ABOUT_DISPUTES_EVERY_MS, askAboutDisputes } from './askAboutDisputes.ts'
import { DAY_SECONDS, type Parts, report, type Sweep, since, unlessRefused } from './reportAnswer.ts'

/** The interval at which the provider is queried about everything but disputes. */
export const ASK_EVERY_MS = 24 * 60 * 60 * 1_000
/** Per round, so that a large installation does not use up the provider's rate limit. */
const INVOICES_PER_ROUND = 50
/** Longer than a round of requests takes, each with its time-out. */
const LEASE_MS = 20 * 60 * 1_000
const LEASE = 'payment-questions'
/** A refund may fail up to 30 days after it was made. */
const REFUNDS_DAYS = 35
/** Longer than a checkout session lives, and than the interval of these queries. */
const RECENT_DAYS = 3

/** Asks about the objects after `place`; returns the place at which the next round continues, null at the end. */
type Question = (parts: Parts, sweep: Sweep) => Promise<string | null>

const QUESTIONS: Readonly<Record<string, { readonly ask: Question; readonly everyMs: number }>> = {
  'open invoices': { ask: askAboutOpenInvoices, everyMs: ASK_EVERY_MS },
  'new invoices': { ask: askAboutNewInvoices, everyMs: ASK_EVERY_MS },
  refunds: { ask: askAboutRefunds, everyMs: ASK_EVERY_MS },
  'checkout sessions': { ask: askAboutSessions, everyMs: ASK_EVERY_MS },
  disputes: { ask: askAboutDisputes, everyMs: ASK_ABOUT_DISPUTES_EVERY_MS },
}

/**
 * Asks the payment provider daily about open invoices, refunds and checkout sessions, and hourly about disputes, so that no
 * lost event blocks a company or leaves it credits whose payment is disputed. An answer that differs from what is known is stored as the event that was not received, and applied as such.
 */
export function createProviderQuestions(parts: Parts): () => Promise<void> {
  const { engines, holder } = parts
  return async () => {
    const epoch = await takeLease(engines.database, LEASE, holder, LEASE_MS)
    if (epoch === null) return
    try {
      await askPages(parts)
    } finally {
      await releaseLease(engines.database, LEASE, epoch)
    }
  }
}

/** A question that fails must not keep the others from being asked. The first failure is thrown in the end. */
async function askPages(parts: Parts): Promise<void> {
  const failures: unknown[] = []
  for (const kind of Object.keys(QUESTIONS)) {
    parts.stopping.throwIfAborted()
    await askPage(parts, kind).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

async function askPage(parts: Parts, kind: string): Promise<void> {
  const question = QUESTIONS[kind]
  if (!question) throw new Error(`there is no question about ${kind}`)
  const { ask, everyMs } = question
  const { database } = parts.engines
  const now = isoTime(parts.clock.now())
  const [row] = await database.query<{ begunAt: string; finishedAt: string | null; place: string | null }>(
    'select begun_at, finished_at, place from platform.provider_questions where kind = $1',
    [kind],
  )
  if (row?.finishedAt && Date.parse(row.begunAt) + everyMs > Date.parse(now)) return
  const sweep =
    row && row.finishedAt === null ? { begunAt: row.begunAt, place: row.place } : { begunAt: now, place: null }
  const place = await ask(parts, sweep)
  await database.query(
    `insert into platform.provider_questions (kind, begun_at, finished_at, place) values ($1, $2, $3, $4)
     on conflict (kind) do update
       set begun_at = excluded.begun_at, finished_at = excluded.finished_at, place = excluded.place`,
    [kind, sweep.begunAt, place === null ? now : null, place],
  )
}

async function askAboutOpenInvoices(parts: Parts, { begunAt, place }: Sweep): Promise<string | null> {
  const { engines, provider } = parts
  const paidSince = isoTime(Date.parse(begunAt) - RECENT_DAYS * DAY_SECONDS * 1_000)
  const rows = await openInvoicesAfter(engines.database, place ?? '', paidSince, INVOICES_PER_ROUND)
  for (const { invoiceId: id, status: shown, saidAt } of rows) {
    parts.stopping.throwIfAborted()
    // Only the event of a payment grants credits. An invoice that is known as paid from an answer may still lack it.
    if (shown === 'PAID' && (await engines.commands.stateOf(invoiceDecider, streamName('invoice', id))).isPaid) continue
    const status = shown === 'PAID' ? null : shown
    const askedAt = isoTime(parts.clock.now())
    const invoice = await unlessRefused(parts, id, () => provider.invoice(id))
    if (invoice) await reportInvoice(parts, { ...invoice, id }, { status, saidAt }, askedAt)
  }
  return rows.length < INVOICES_PER_ROUND ? null : (rows.at(-1)?.invoiceId ?? null)
}

async function askAboutNewInvoices(parts: Parts, sweep: Sweep): Promise<string | null> {
  const askedAt = isoTime(parts.clock.now())
  const { items, next } = await parts.provider.invoicesSince(since(sweep, RECENT_DAYS))
  for (const { id, ...invoice } of items) {
    const isOurs = ownId(invoice.metadata?.companyId) ?? ownId(invoice.subscription_details?.metadata?.companyId)
    if (!id || !isOurs) continue
    const { known } = await parts.engines.commands.stateOf(invoiceDecider, streamName('invoice', id))
    const status = known?.facts.status ?? null
    await reportInvoice(parts, { ...invoice, id }, { status, saidAt: known?.saidAt ?? null }, askedAt)
  }
  return next
}

/** The event that reports a status. A draft is not reported. */
const REPORTED_BY: Readonly<Record<InvoiceStatus, PaymentEventType | null>> = {
  DRAFT: null,
  OPEN: 'invoice.finalized',
  PAID: 'invoice.paid',
  PAYMENT_FAILED: 'invoice.payment_failed',
  ACTION_REQUIRED: 'invoice.payment_action_required',
  FINALIZATION_FAILED: 'invoice.finalization_failed',
  VOID: 'invoice.voided',
  UNCOLLECTIBLE: 'invoice.marked_uncollectible',
}

async function reportInvoice(
  parts: Parts,
  invoice: InvoiceObject & { readonly id: string },
  known: { readonly status: InvoiceStatus | null; readonly saidAt: string | null },
  askedAt: string,
): Promise<void> {
  const { status } = invoiceFactsOf(invoice, null)
  const type = REPORTED_BY[status]
  if (type !== null && status !== known.status) await report(parts, type, invoice, status, askedAt, known.saidAt ?? '')
}

async function askAboutRefunds(parts: Parts, sweep: Sweep): Promise<string | null> {
  const { provider } = parts
  const askedAt = isoTime(parts.clock.now())
  const { items, next } = await provider.refundsSince(since(sweep, REFUNDS_DAYS))
  const seen = new Set<string>()
  for (const { id, charge: of } of items) {
    const charge = typeof of === 'string' ? await unlessRefused(parts, of, () => provider.charge(of)) : of
    if (!charge || seen.has(charge.id)) continue
    seen.add(charge.id)
    const known = await knownRefund(parts, charge)
    if (known === null || known === String(charge.amount_refunded)) continue
    await report(parts, 'charge.refund.updated', { id, charge: charge.id }, String(charge.amount_refunded), askedAt)
  }
  return next
}

/** What is known to be refunded of the charge; null if it is not for a purchase or an invoice of ours. */
async function knownRefund({ engines }: Parts, charge: ChargeObject): Promise<string | null> {
  const purchaseId = ownId(charge.metadata?.purchaseId)
  if (purchaseId) {
    const state = await engines.commands.stateOf(purchaseDecider, streamName('purchase', purchaseId))
    return state.status === 'unknown' ? null : (state.granted.refund?.facts.refundedMinor ?? '0')
  }
  if (!charge.invoice) return null
  const state = await engines.commands.stateOf(invoiceDecider, streamName('invoice', charge.invoice))
  return state.companyId === null ? null : (state.granted.refund?.facts.refundedMinor ?? '0')
}

async function askAboutSessions(parts: Parts, sweep: Sweep): Promise<string | null> {
  const askedAt = isoTime(parts.clock.now())
  const { items, next } = await parts.provider.sessionsSince(since(sweep, RECENT_DAYS))
  for (const session of items) {
    const isPaid = session.payment_status === 'paid' || session.payment_status === 'no_payment_required'
    if (session.status === 'complete' && isPaid) await reportSession(parts, session, askedAt)
  }
  return next
}

/** A paid session of ours whose completion is not recorded. */
async function reportSession(parts: Parts, session: SessionObject, askedAt: string): Promise<void> {
  const { commands } = parts.engines
  const { mode, metadata, subscription } = session
  const purchaseId = ownId(metadata?.purchaseId)
  if (mode === 'payment' && purchaseId) {
    const { status } = await commands.stateOf(purchaseDecider, streamName('purchase', purchaseId))
    if (status === 'unknown' || status === 'completed') return
    await report(parts, 'checkout.session.completed', session, 'paid', askedAt)
  }
  if (mode !== 'subscription' || !subscription || !ownId(metadata?.companyId)) return
  const { known } = await commands.stateOf(subscriptionDecider, streamName('subscription', subscription))
  if (known !== null) return
  await report(parts, 'checkout.session.completed', session, 'paid', askedAt)
  const object = await unlessRefused(parts, subscription, () => parts.provider.subscription(subscription))
  if (object) await report(parts, 'customer.subscription.updated', object, object.status, askedAt)
}
