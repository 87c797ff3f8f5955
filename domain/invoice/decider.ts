import type { InvoiceEvent, InvoiceFacts, InvoiceGrant } from '../../contracts/events/invoice.ts'
import type { InvoiceLine } from '../../contracts/events/postpaid.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import type { SeenDispute } from '../disputedCredits.ts'
import { evolveGrant, type GrantEvent, type GrantedCredits, NOTHING_GRANTED } from '../grantedCredits.ts'
import {
  adoptCorrections,
  type CorrectionRequest,
  correctCredits,
  type EarlierCorrection,
  type RefundReport,
  reportDispute,
  reportRefund,
  settleGrant,
} from '../grantedCreditsDecisions.ts'
import { type Answer, compareReports, type Known, knownFromAnswer, type Report } from '../providerReport.ts'
import { requireText } from '../text.ts'

const REASON_CHARS_MAX = 500

export type InvoiceState = {
  /** null if nothing is known about the invoice. */
  readonly companyId: string | null
  readonly known: Known<InvoiceFacts> | null
  /** The provider reported the payment in an event: only that grants credits, and only once. */
  readonly isPaid: boolean
  /** The credits that the payment granted, and what happened to them. */
  readonly granted: GrantedCredits
  /** The month of a postpaid company that it is for; null for other invoices. */
  readonly usage: { readonly month: string; readonly creditsMicros: string } | null
}

export function isFinal({ status }: InvoiceFacts): boolean {
  return status === 'PAID' || status === 'VOID'
}

/** Unpaid although its due date has passed or a payment failed. */
export function isOverdue({ status, dueAt }: Pick<InvoiceFacts, 'status' | 'dueAt'>, nowMs: number): boolean {
  if (status === 'PAYMENT_FAILED' || status === 'UNCOLLECTIBLE') return true
  return (status === 'OPEN' || status === 'ACTION_REQUIRED') && dueAt !== null && Date.parse(dueAt) <= nowMs
}

/** What is known after a report of the provider. */
export function learn(
  known: Known<InvoiceFacts> | null,
  event: Extract<InvoiceEvent, { data: Report<InvoiceFacts> }>,
): Known<InvoiceFacts> | null {
  if (event.type === 'InvoiceAnswered') return knownFromAnswer(event.data)
  const { facts, saidAt } = event.data
  const isNews = event.type === 'InvoicePaid' || compareReports(known, event.data, isFinal) === 'newer'
  return isNews ? { facts, saidAt, answered: false } : known
}

export function evolve(before: InvoiceState, event: InvoiceEvent): InvoiceState {
  const state = { ...before, companyId: event.data.companyId }
  switch (event.type) {
    case 'InvoiceFinalized':
    case 'InvoicePaymentFailed':
    case 'InvoiceActionRequired':
    case 'InvoiceFinalizationFailed':
    case 'InvoiceVoided':
    case 'InvoiceMarkedUncollectible':
    case 'InvoiceAnswered':
      return { ...state, known: learn(state.known, event) }
    case 'InvoicePaid': {
      const { grant } = event.data
      const granted = grant
        ? { ...state.granted, grantId: grant.grantId, grantedMicros: BigInt(grant.creditsMicros) }
        : state.granted
      return { ...state, known: learn(state.known, event), isPaid: true, granted }
    }
    case 'InvoiceRefundSeen':
      return { ...state, granted: evolveGrant(state.granted, { type: 'RefundSeen', data: event.data }) }
    case 'InvoiceCreditsTakenBack':
      return { ...state, granted: evolveGrant(state.granted, { type: 'CreditsTakenBack', data: event.data }) }
    case 'InvoiceCreditsCorrected':
      return { ...state, granted: evolveGrant(state.granted, { type: 'CreditsCorrected', data: event.data }) }
    case 'InvoiceDisputeSeen':
      return { ...state, granted: evolveGrant(state.granted, { type: 'DisputeSeen', data: event.data }) }
    case 'InvoiceCreditsWithdrawn':
      return { ...state, granted: evolveGrant(state.granted, { type: 'CreditsWithdrawn', data: event.data }) }
    case 'InvoiceCreditsReinstated':
      return { ...state, granted: evolveGrant(state.granted, { type: 'CreditsReinstated', data: event.data }) }
    case 'UsageInvoiceDrafted': {
      const { month, creditsMicros } = event.data
      return { ...state, usage: { month, creditsMicros } }
    }
    case 'UsageInvoiceSettled':
    case 'UsageInvoiceEnded':
      return state
    default:
      return unexpected(event)
  }
}

type Ids = { readonly invoiceId: string; readonly companyId: string }
type About = Ids & { readonly saidAt: string }

/** What the provider reported, by the type of our event that records it. */
export type InvoiceNews =
  | {
      readonly type: 'InvoiceFinalized' | 'InvoiceActionRequired' | 'InvoiceVoided' | 'InvoiceMarkedUncollectible'
    }
  | { readonly type: 'InvoicePaymentFailed'; readonly nextAttemptAt: string | null }
  | { readonly type: 'InvoiceFinalizationFailed'; readonly reason: string }

export type InvoiceCommand =
  | (About & {
      readonly type: 'RecordInvoice'
      readonly news: InvoiceNews
      readonly facts: InvoiceFacts
      /** The provider's answer, required if `mustAsk` returned true. */
      readonly answer: Answer<InvoiceFacts> | null
    })
  | (About & {
      readonly type: 'RecordPayment'
      readonly facts: InvoiceFacts
      readonly grant: InvoiceGrant | null
      /** The id of the ledger refund, in case a refund was waiting for the grant. */
      readonly refundId: string
    })
  | (Ids & RefundReport & { readonly type: 'RefundInvoice'; readonly refundId: string })
  | (Ids & CorrectionRequest & { readonly type: 'CorrectCredits' })
  | (Ids & {
      readonly type: 'DisputeInvoice'
      readonly dispute: SeenDispute
      /** The id of the ledger refund or adjustment that may follow. */
      readonly refundId: string
    })
  | (Ids & {
      readonly type: 'AdoptCorrections'
      readonly earlier: readonly EarlierCorrection[]
      /** The id of the adjustment that may follow. */
      readonly refundId: string
      readonly at: string
    })
  /** `facts` is the provider's answer: the invoice is paid or void there. */
  | (Ids & {
      readonly type: 'EndUsageInvoice'
      readonly outcome: 'SETTLED' | 'VOIDED'
      readonly facts: InvoiceFacts
      readonly reason: string
      readonly by: string
      readonly at: string
    })
  | {
      readonly type: 'DraftUsageInvoice'
      readonly invoiceId: string
      readonly companyId: string
      readonly month: string
      readonly creditsMicros: string
      readonly lines: readonly InvoiceLine[]
      readonly at: string
    }

/** Whether the report contradicts another one of the same second, or an answer from within that second. */
export function mustAsk({ known }: InvoiceState, report: Report<InvoiceFacts>): boolean {
  return compareReports(known, report, isFinal) === 'ask'
}

export function decide(command: InvoiceCommand, state: InvoiceState): InvoiceEvent[] {
  if (command.type === 'DraftUsageInvoice') return draftedUsage(command, state)
  const { invoiceId, companyId } = command
  switch (command.type) {
    case 'RecordInvoice': {
      const { news, facts, answer, saidAt } = command
      const isOver = state.known !== null && isFinal(state.known.facts)
      const report = { invoiceId, companyId, saidAt }
      const recorded = newsOf(news, { ...report, facts })
      if (mustAsk(state, command)) {
        if (!answer) throw new Refusal('CONFLICT', `the provider has to be asked about invoice ${invoiceId}`)
        const settled = { type: 'InvoiceAnswered', data: { ...report, ...answer } } as const
        return isOver || isFinal(answer.facts) ? [settled] : [recorded, settled]
      }
      // Older reports are recorded too, because a notification may follow from them, until a final state.
      return isOver && compareReports(state.known, command, isFinal) === 'older' ? [] : [recorded]
    }
    case 'RecordPayment': {
      if (state.isPaid) return []
      const { facts, grant, refundId, saidAt } = command
      const paid: InvoiceEvent = { type: 'InvoicePaid', data: { invoiceId, companyId, saidAt, facts, grant } }
      const { granted } = evolve(state, paid)
      const taken = ofInvoice(command, settleGrant(granted, refundId, saidAt))
      return [paid, ...settled(command, state.usage), ...taken]
    }
    case 'RefundInvoice':
      return ofInvoice(command, reportRefund(state.granted, command, command.refundId))
    case 'DisputeInvoice':
      return ofInvoice(command, reportDispute(state.granted, command.dispute, command.refundId))
    case 'CorrectCredits':
      return ofInvoice(command, correctCredits(state.granted, command))
    case 'EndUsageInvoice':
      return endedByHand(command, state)
    case 'AdoptCorrections':
      return ofInvoice(command, adoptCorrections(state.granted, command))
    default:
      return unexpected(command)
  }
}

type UsageDraft = Extract<InvoiceCommand, { type: 'DraftUsageInvoice' }>

function draftedUsage(command: UsageDraft, state: InvoiceState): InvoiceEvent[] {
  if (state.usage) return []
  const { type: _, lines, at, ...draft } = command
  const drafted: InvoiceEvent = { type: 'UsageInvoiceDrafted', data: { ...draft, lines: [...lines], draftedAt: at } }
  return state.isPaid ? [drafted, ...settled({ ...draft, saidAt: at }, draft)] : [drafted]
}

function endedByHand(
  {
    invoiceId,
    companyId,
    outcome,
    facts,
    reason,
    by: endedBy,
    at,
  }: Extract<InvoiceCommand, { type: 'EndUsageInvoice' }>,
  { usage, isPaid, known }: InvoiceState,
): InvoiceEvent[] {
  if (!usage) throw new Refusal('INVALID', `invoice ${invoiceId} is not for the usage of a postpaid company`)
  const isExpected = facts.status === (outcome === 'SETTLED' ? 'PAID' : 'VOID')
  if (!isExpected) throw new Refusal('CONFLICT', `invoice ${invoiceId} is ${facts.status} at the provider`)
  const about = { invoiceId, companyId }
  const said = { ...about, saidAt: at, facts }
  const data = { ...about, month: usage.month, outcome, reason: requireReason(reason), endedBy, endedAt: at }
  const ended: InvoiceEvent = { type: 'UsageInvoiceEnded', data }
  if (outcome === 'VOIDED') {
    return known && isFinal(known.facts) ? [ended] : [ended, { type: 'InvoiceVoided', data: said }]
  }
  return isPaid ? [ended] : [ended, { type: 'InvoicePaid', data: { ...said, grant: null } }, ...settled(said, usage)]
}

/** Also checked before the provider is asked to do anything. */
export function requireReason(reason: string): string {
  return requireText(reason, 'the reason', REASON_CHARS_MAX)
}

/** The payment of an invoice for usage settles it. It grants nothing. */
function settled({ invoiceId, companyId, saidAt }: About, usage: InvoiceState['usage']): InvoiceEvent[] {
  if (!usage) return []
  const { month, creditsMicros } = usage
  return [{ type: 'UsageInvoiceSettled', data: { invoiceId, companyId, month, creditsMicros, settledAt: saidAt } }]
}

function newsOf(news: InvoiceNews, report: About & { readonly facts: InvoiceFacts }): InvoiceEvent {
  switch (news.type) {
    case 'InvoicePaymentFailed':
      return { type: news.type, data: { ...report, nextAttemptAt: news.nextAttemptAt } }
    case 'InvoiceFinalizationFailed':
      return { type: news.type, data: { ...report, reason: news.reason } }
    default:
      return { type: news.type, data: report }
  }
}

function ofInvoice({ invoiceId, companyId }: Ids, events: readonly GrantEvent[]): InvoiceEvent[] {
  return events.map((event) => {
    const about = { invoiceId, companyId }
    switch (event.type) {
      case 'RefundSeen':
        return { type: 'InvoiceRefundSeen', data: { ...about, ...event.data } }
      case 'CreditsTakenBack':
        return { type: 'InvoiceCreditsTakenBack', data: { ...about, ...event.data } }
      case 'CreditsCorrected':
        return { type: 'InvoiceCreditsCorrected', data: { ...about, ...event.data } }
      case 'DisputeSeen':
        return { type: 'InvoiceDisputeSeen', data: { ...about, ...event.data } }
      case 'CreditsWithdrawn':
        return { type: 'InvoiceCreditsWithdrawn', data: { ...about, ...event.data } }
      case 'CreditsReinstated':
        return { type: 'InvoiceCreditsReinstated', data: { ...about, ...event.data } }
      default:
        return unexpected(event)
    }
  })
}

export const invoiceDecider: Decider<InvoiceState, InvoiceCommand, InvoiceEvent> = {
  initialState: () => ({
    companyId: null,
    known: null,
    isPaid: false,
    granted: NOTHING_GRANTED,
    usage: null,
  }),
  evolve,
  decide,
}
