import { deterministicId } from '../../../../capabilities/commands/eventId.ts'
import type { Recorded } from '../../../../contracts/envelope.ts'
import type { CompanyEvent } from '../../../../contracts/events/company.ts'
import type { DisputeEvent } from '../../../../contracts/events/dispute.ts'
import type { InvoiceEvent, InvoiceFacts } from '../../../../contracts/events/invoice.ts'
import type { LedgerEvent } from '../../../../contracts/events/ledger.ts'
import type { SubscriptionEvent } from '../../../../contracts/events/subscription.ts'
import type { TopUpEvent } from '../../../../contracts/events/topUp.ts'
import type { UserEvent } from '../../../../contracts/events/user.ts'
import { categoryOf } from '../../../../contracts/streams.ts'
import { creditsNumber } from '../../../../domain/credits.ts'
import { learn } from '../../../../domain/invoice/decider.ts'
import { occurredAt } from '../../../../domain/ledger/decider.ts'
import { becameExhausted, becameLow, UNWATCHED } from '../../../../domain/ledger/lowBalance.ts'
import { majorUnits } from '../../../../domain/price.ts'
import type { Known } from '../../../../domain/providerReport.ts'
import { type SubscriptionState, subscriptionDecider } from '../../../../domain/subscription/decider.ts'
import { isFresh, type MailCause, readWatch, type StoredWatch } from '../email/mailCauses.ts'
import type { Consequence, Notice, TaskDraft } from '../worker.ts'

type ReportedEvent =
  | LedgerEvent
  | InvoiceEvent
  | SubscriptionEvent
  | CompanyEvent
  | UserEvent
  | DisputeEvent
  | TopUpEvent
/** What the worker remembered of a stream, and what it remembers of it now. */
type Memories = { readonly before: unknown; readonly after: unknown }
type Reported = Pick<Consequence, 'notices' | 'memory'>

/** The messages that an event leads to, and the memory of its stream if this is who keeps it. */
export function noticesAfter(event: Recorded<ReportedEvent>, memories: Memories, nowMs: number): Reported {
  const found = reported(event, memories)
  return found.notices ? { ...found, notices: found.notices.filter(({ at }) => isFresh(at, nowMs)) } : found
}

function reported(event: Recorded<ReportedEvent>, { before, after }: Memories): Reported {
  switch (categoryOf(event.stream)) {
    case 'ledger':
      return afterLedgerEvent(event as Recorded<LedgerEvent>, before as StoredWatch | null, after as StoredWatch)
    case 'invoice':
      return afterInvoiceEvent(event as Recorded<InvoiceEvent>, before as InvoiceMemory | null)
    case 'subscription':
      return afterSubscriptionEvent(event as Recorded<SubscriptionEvent>, before as SubscriptionState | null)
    case 'dispute':
      return afterDisputeEvent(event as Recorded<DisputeEvent>)
    // What people have to know of a top-up is mailed; its credits are on the ledger.
    case 'topUp':
      return NOTHING
    default:
      return afterCompanyEvent(event as Recorded<CompanyEvent>)
  }
}

function afterLedgerEvent(event: Recorded<LedgerEvent>, before: StoredWatch | null, stored: StoredWatch): Reported {
  // Almost every call: nothing of this changes, and there is no need to parse amounts.
  if (before && before.isLow === stored.isLow && isUsedUp(before) === isUsedUp(stored)) return NOTHING
  const [watch, after] = [before ? readWatch(before) : UNWATCHED, readWatch(stored)]
  const isLow = becameLow(watch, after)
  const isExhausted = becameExhausted(watch, after)
  if (!isLow && !isExhausted) return NOTHING
  const { companyId } = event.data
  const message = { companyId, at: occurredAt(event), data: { companyId, ...creditsOf(stored.balanceMicros) } }
  const notices: Notice[] = []
  if (isExhausted) notices.push({ messageId: event.id, type: 'balance.exhausted', ...message })
  // Receivers take a second message with the same id for a repetition.
  const messageId = isExhausted ? deterministicId(`notice:balance.low:${event.id}`) : event.id
  if (isLow) notices.push({ messageId, type: 'balance.low', ...message })
  return { notices }
}

const NOTHING: Reported = {}

function isUsedUp({ balanceMicros }: StoredWatch): boolean {
  return balanceMicros === '0' || balanceMicros.startsWith('-')
}

function creditsOf(amountMicros: string) {
  return { credits: creditsNumber(BigInt(amountMicros)), amountMicros }
}

type InvoiceMemory = {
  readonly known: Known<InvoiceFacts> | null
  readonly wasOpen: boolean
  readonly wasPaid: boolean
}

/** An invoice is reported once when it is open and once when it is paid, whatever the provider says in between. */
function afterInvoiceEvent(event: Recorded<InvoiceEvent>, before: InvoiceMemory | null): Reported {
  if (!('facts' in event.data)) return {}
  const known = learn(before?.known ?? null, event as Parameters<typeof learn>[1])
  const status = known?.facts.status
  const isOpen = status === 'OPEN' && !before?.wasOpen && !before?.wasPaid
  const isPaid = status === 'PAID' && !before?.wasPaid
  const wasOpen = isOpen || (before?.wasOpen ?? false)
  const memory: InvoiceMemory = { known, wasOpen, wasPaid: isPaid || (before?.wasPaid ?? false) }
  if (!known || !(isOpen || isPaid)) return { memory }
  const { companyId, invoiceId, saidAt } = event.data
  const { amountMinor, currency, subscriptionId, issuedAt, dueAt, paidAt, payUrl } = known.facts
  const amount = { amount: Number(majorUnits(amountMinor, currency)), currency }
  const data = { companyId, invoiceId, subscriptionId, status, ...amount, issuedAt, dueAt, paidAt, payUrl }
  const type = isPaid ? 'invoice.paid' : 'invoice.open'
  return { memory, notices: [{ messageId: event.id, type, companyId, at: saidAt, data }] }
}

/** A subscription is reported when something of it has changed that a company can see. */
function afterSubscriptionEvent(event: Recorded<SubscriptionEvent>, before: SubscriptionState | null): Reported {
  const memory = subscriptionDecider.evolve(before ?? subscriptionDecider.initialState(), event)
  const data = shown(event, memory)
  if (data === null || JSON.stringify(data) === JSON.stringify(before && shown(event, before))) return { memory }
  const { companyId } = event.data
  const notice = { messageId: event.id, type: 'subscription.changed', companyId, at: saidAtOf(event), data } as const
  return { memory, notices: [notice] }
}

/** null as long as the provider has not described the subscription. */
function shown({ data: { companyId, subscriptionId } }: SubscriptionEvent, { known, nextPlanId }: SubscriptionState) {
  if (!known) return null
  const { status, planId, cancelAtPeriodEnd, periodEndAt, endedAt } = known.facts
  const plans = { planId, nextPlanId: nextPlanId ?? null }
  return { companyId, subscriptionId, status, ...plans, cancelAtPeriodEnd, periodEndAt, endedAt }
}

function saidAtOf({ data }: SubscriptionEvent): string {
  if ('saidAt' in data) return data.saidAt
  if ('scheduledAt' in data) return data.scheduledAt
  if ('foundAt' in data) return data.foundAt
  return 'endedAt' in data ? data.endedAt : data.deactivatedAt
}

function afterDisputeEvent(event: Recorded<DisputeEvent>): Reported {
  if (event.type === 'DisputeUpdated') return {}
  const { companyId, disputeId, facts, saidAt: at } = event.data
  const { status, amountMinor, currency, reason, respondBy } = facts
  const dispute = { companyId, disputeId, status, amount: Number(majorUnits(amountMinor, currency)), currency, reason }
  const notice = { messageId: event.id, companyId, at }
  if (event.type === 'DisputeClosed') return { notices: [{ ...notice, type: 'dispute.closed', data: dispute }] }
  const { purchaseId, invoiceId } = event.data.payment
  return { notices: [{ ...notice, type: 'dispute.opened', data: { ...dispute, respondBy, purchaseId, invoiceId } }] }
}

function afterCompanyEvent(event: Recorded<CompanyEvent>): Reported {
  if (event.type !== 'CompanySuspended') return {}
  const { companyId, reason, suspendedAt: at } = event.data
  return { notices: [{ messageId: event.id, type: 'company.suspended', companyId, at, data: { companyId, reason } }] }
}

/** The messages about what is also mailed because time has passed: keys that expire and budgets that are used up. */
export function noticesOfMails(tasks: readonly TaskDraft[], at: string): Notice[] {
  return tasks.flatMap(({ cause, payload }): Notice[] => {
    const mail = payload as MailCause
    const { companyId } = mail
    if (mail.kind === 'key_expiring') {
      const { keyId, name, hint, expiresAt } = mail
      // An expiry that is postponed is reported again.
      const messageId = deterministicId(`notice:${cause}:${expiresAt}`)
      return [{ messageId, type: 'key.expiring', companyId, at, data: { companyId, keyId, name, hint, expiresAt } }]
    }
    if (mail.kind !== 'key_budget' || mail.percent < 100) return []
    const { keyId, name, hint, period, budgetMicros, spentMicros } = mail
    const amounts = { budget: creditsOf(budgetMicros), spent: creditsOf(spentMicros) }
    const data = { companyId, keyId, name, hint, period, ...amounts }
    return [{ messageId: deterministicId(`notice:${cause}`), type: 'key.budget_reached', companyId, at, data }]
  })
}
