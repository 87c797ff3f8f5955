import type { InvoiceEvent, InvoiceFacts, InvoiceGrant } from '../../contracts/events/invoice.ts'
import type { InvoiceLine } from '../../contracts/events/postpaid.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { type Answer, compareReports, type Known, knownFromAnswer, type Report } from '../providerReport.ts'
import { creditsTakenBack, isMoreThan, type RefundSoFar } from '../refund.ts'

export type InvoiceState = {
  /** null if nothing is known about the invoice. */
  readonly companyId: string | null
  readonly known: Known<InvoiceFacts> | null
  /** The provider reported the payment in an event: only that grants credits, and only once. */
  readonly isPaid: boolean
  readonly grantedMicros: bigint
  /** The largest refund seen; it waits for the grant. */
  readonly refund: RefundSoFar | null
  readonly takenBackMicros: bigint
  /** The month of a postpaid company that it is for; null for other invoices. */
  readonly usage: { readonly month: string; readonly creditsMicros: string } | null
}

export function isFinal({ status }: InvoiceFacts): boolean {
  return status === 'PAID' || status === 'VOID'
}

/** Not paid although its due date has passed or a payment failed. */
export function isOverdue({ status, dueAt }: Pick<InvoiceFacts, 'status' | 'dueAt'>, nowMs: number): boolean {
  if (status === 'PAYMENT_FAILED' || status === 'UNCOLLECTIBLE') return true
  return (status === 'OPEN' || status === 'ACTION_REQUIRED') && dueAt !== null && Date.parse(dueAt) <= nowMs
}

/** The knowledge after a report of the provider. */
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
    case 'InvoiceAnswered':
      return { ...state, known: learn(state.known, event) }
    case 'InvoicePaid': {
      const grantedMicros = BigInt(event.data.grant?.creditsMicros ?? '0')
      return { ...state, known: learn(state.known, event), isPaid: true, grantedMicros }
    }
    case 'InvoiceRefundSeen': {
      const { chargedMinor, refundedMinor } = event.data
      return { ...state, refund: { chargedMinor, refundedMinor } }
    }
    case 'InvoiceCreditsTakenBack':
      return { ...state, takenBackMicros: BigInt(event.data.totalMicros) }
    case 'UsageInvoiceDrafted': {
      const { month, creditsMicros } = event.data
      return { ...state, usage: { month, creditsMicros } }
    }
    case 'UsageInvoiceSettled':
      return state
    default:
      return unexpected(event)
  }
}

type About = { readonly invoiceId: string; readonly companyId: string; readonly saidAt: string }

/** What the provider reported, by the type of our event that records it. */
export type InvoiceNews =
  | { readonly type: 'InvoiceFinalized' | 'InvoiceActionRequired' }
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
  | (About & { readonly type: 'RefundInvoice'; readonly refund: RefundSoFar; readonly refundId: string })
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
  const { invoiceId, companyId, saidAt } = command
  switch (command.type) {
    case 'RecordInvoice': {
      const { news, facts, answer } = command
      const isOver = state.known !== null && isFinal(state.known.facts)
      const report = { invoiceId, companyId, saidAt }
      const recorded = newsOf(news, { ...report, facts })
      if (mustAsk(state, command)) {
        if (!answer) throw new Refusal('CONFLICT', `the provider has to be asked about invoice ${invoiceId}`)
        const settled = { type: 'InvoiceAnswered', data: { ...report, ...answer } } as const
        return isOver || isFinal(answer.facts) ? [settled] : [recorded, settled]
      }
      // Older reports are recorded too, because a notification may follow from them. A final state ends that.
      return isOver && compareReports(state.known, command, isFinal) === 'older' ? [] : [recorded]
    }
    case 'RecordPayment': {
      if (state.isPaid) return []
      const { facts, grant, refundId } = command
      const paid: InvoiceEvent = { type: 'InvoicePaid', data: { invoiceId, companyId, saidAt, facts, grant } }
      return [paid, ...settled(command, state.usage), ...takenBack(command, evolve(state, paid), refundId)]
    }
    case 'RefundInvoice': {
      const { refund, refundId } = command
      if (!isMoreThan(refund, state.refund)) return []
      const seen: InvoiceEvent = { type: 'InvoiceRefundSeen', data: { invoiceId, companyId, ...refund, saidAt } }
      return [seen, ...takenBack(command, evolve(state, seen), refundId)]
    }
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

/** The granted credits that remain to be taken back. */
function takenBack({ invoiceId, companyId, saidAt }: About, state: InvoiceState, refundId: string): InvoiceEvent[] {
  if (!state.isPaid || !state.refund) return []
  const total = creditsTakenBack(state.grantedMicros, state.refund)
  const amount = total - state.takenBackMicros
  if (amount <= 0n) return []
  const amounts = { amountMicros: amount.toString(), totalMicros: total.toString() }
  return [
    { type: 'InvoiceCreditsTakenBack', data: { invoiceId, companyId, refundId, ...amounts, takenBackAt: saidAt } },
  ]
}

export const invoiceDecider: Decider<InvoiceState, InvoiceCommand, InvoiceEvent> = {
  initialState: () => ({
    companyId: null,
    known: null,
    isPaid: false,
    grantedMicros: 0n,
    refund: null,
    takenBackMicros: 0n,
    usage: null,
  }),
  evolve,
  decide,
}
