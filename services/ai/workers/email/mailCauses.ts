import type { Recorded } from '../../../../contracts/envelope.ts'
import type { BudgetPeriod } from '../../../../contracts/events/apiKey.ts'
import type { CompanyEvent } from '../../../../contracts/events/company.ts'
import type { DisputeEvent } from '../../../../contracts/events/dispute.ts'
import type { InvoiceEvent } from '../../../../contracts/events/invoice.ts'
import type { LedgerEvent } from '../../../../contracts/events/ledger.ts'
import type { SubscriptionEvent } from '../../../../contracts/events/subscription.ts'
import type { TopUpEvent } from '../../../../contracts/events/topUp.ts'
import type { UserEvent } from '../../../../contracts/events/user.ts'
import { categoryOf } from '../../../../contracts/streams.ts'
import { occurredAt } from '../../../../domain/ledger/decider.ts'
import { type BalanceWatch, becameLow, UNWATCHED, watchBalance } from '../../../../domain/ledger/lowBalance.ts'
import {
  DEFAULT_RULE,
  type LowBalanceRule,
  lowBalanceRuleOf,
  requireRule,
  type StoredRule,
} from '../../../../domain/ledger/lowBalanceRule.ts'
import type { Consequence, TaskDraft } from '../worker.ts'
import { type DisputeCause, disputeCauses } from './disputeMails.ts'
import { isLinkEvent, personMailsAfter } from './personMails.ts'
import { type TopUpCause, topUpCause } from './topUpMails.ts'

type Invoice = {
  readonly invoiceId: string
  readonly amountMinor: string
  readonly currency: string
  readonly payUrl: string | null
}

type DueInvoice = Invoice & { readonly dueAt: string }

/** The reason for a mail, with all that it says. It holds no personal data. */
export type MailCause = { readonly companyId: string; readonly at: string } & (
  | {
      readonly kind: 'low_balance'
      readonly balanceMicros: string
      readonly filledMicros: string
      /** The limit that the company has set; null by default, and missing in tasks of earlier versions. */
      readonly limitMicros?: string | null
    }
  | { readonly kind: 'company_suspended'; readonly reason: string }
  | { readonly kind: 'company_resumed' }
  | ({ readonly kind: 'payment_failed'; readonly nextAttemptAt: string | null } & Invoice)
  | ({ readonly kind: 'payment_action_required' } & Invoice)
  | ({ readonly kind: 'invoice_not_finalized'; readonly reason: string } & Invoice)
  | ({ readonly kind: 'invoice_open' | 'invoice_due_soon' | 'invoice_overdue' } & DueInvoice)
  | { readonly kind: 'trial_ending'; readonly subscriptionId: string; readonly trialEndAt: string | null }
  | { readonly kind: 'subscription_paused'; readonly subscriptionId: string }
  | {
      readonly kind: 'duplicate_subscription'
      readonly subscriptionId: string
      readonly keptSubscriptionId: string
      readonly refunded: { readonly amountMinor: string; readonly currency: string } | null
    }
  | {
      readonly kind: 'key_expiring'
      readonly keyId: string
      readonly name: string
      readonly hint: string
      readonly expiresAt: string
    }
  | {
      readonly kind: 'key_budget'
      readonly keyId: string
      readonly name: string
      readonly hint: string
      readonly percent: number
      readonly spentMicros: string
      readonly budgetMicros: string
      readonly period: BudgetPeriod
    }
  | {
      readonly kind: 'credits_expiring'
      /** The UTC day on which they expire. */
      readonly day: string
      /** How many days before it the mail is sent. */
      readonly days: number
      /** When the first of them expire. */
      readonly expiresAt: string
      readonly leftMicros: string
      /** What of them is granted again if it is not used. */
      readonly rolloverMicros: string
    }
  | Omit<DisputeCause, 'companyId' | 'at'>
  | TopUpCause
)

const SUBJECTS: Readonly<Record<MailCause['kind'], string>> = {
  low_balance: 'low balance',
  company_suspended: 'suspension',
  company_resumed: 'resumption',
  payment_failed: 'failed payment',
  payment_action_required: 'payment that needs confirmation',
  invoice_not_finalized: 'invoice that could not be completed',
  invoice_open: 'new invoice',
  invoice_due_soon: 'invoice that is due soon',
  invoice_overdue: 'overdue invoice',
  trial_ending: 'trial that ends',
  subscription_paused: 'paused subscription',
  duplicate_subscription: 'second subscription',
  key_expiring: 'key that expires',
  key_budget: 'key with a budget',
  dispute_opened: 'disputed payment',
  dispute_closed: 'dispute that ended',
  top_up_confirmation: 'top-up that needs confirmation',
  top_up_declined: 'declined top-up',
  top_up_off: 'top-up that was switched off',
  credits_expiring: 'number of credits that expire',
}

/** Older causes are skipped: they come from an old event store that is read for the first time. */
const STALE_MS = 7 * 24 * 60 * 60 * 1_000

/** A mail for one cause. The name identifies the cause for ever. */
export function mailTask(name: string, cause: MailCause): TaskDraft {
  return { cause: name, subject: `mail about a ${SUBJECTS[cause.kind]} of company ${cause.companyId}`, payload: cause }
}

type MailedEvent = LedgerEvent | InvoiceEvent | SubscriptionEvent | CompanyEvent | UserEvent | DisputeEvent | TopUpEvent

/** The rules of the companies that have set when their balance counts as low. */
export type LowBalanceRules = ReadonlyMap<string, LowBalanceRule>

/** The mails that an event leads to. */
export function mailsAfter(event: Recorded<MailedEvent>, memory: unknown, nowMs: number, rules: unknown): Consequence {
  if (isLedgerEvent(event)) return afterLedgerEvent(event, memory, nowMs, rules as LowBalanceRules)
  if (isLinkEvent(event)) return { tasks: personMailsAfter(event, nowMs) }
  if (isDisputeEvent(event)) {
    const causes = disputeCauses(event).filter(({ at }) => isFresh(at, nowMs))
    return { tasks: causes.map((cause) => mailTask(`${event.id} ${cause.to}`, cause)) }
  }
  const cause = isTopUpEvent(event) ? topUpCause(event) : causeOf(event)
  return { tasks: cause && isFresh(cause.at, nowMs) ? [mailTask(nameOf(event, cause), cause)] : [] }
}

/** The provider and our own request may both report that an invoice is open. */
function nameOf(event: Recorded<MailedEvent>, cause: MailCause): string {
  return cause.kind === 'invoice_open' ? `invoice open: ${cause.invoiceId}` : event.id
}

export function isLedgerEvent(event: Recorded<MailedEvent>): event is Recorded<LedgerEvent> {
  return categoryOf(event.stream) === 'ledger'
}

function isTopUpEvent(event: Recorded<MailedEvent>): event is Recorded<TopUpEvent> {
  return categoryOf(event.stream) === 'topUp'
}

function isDisputeEvent(event: Recorded<MailedEvent>): event is Recorded<DisputeEvent> {
  return categoryOf(event.stream) === 'dispute'
}

export function isFresh(at: string, nowMs: number): boolean {
  return nowMs - Date.parse(at) <= STALE_MS
}

function afterLedgerEvent(
  event: Recorded<LedgerEvent>,
  memory: unknown,
  nowMs: number,
  rules: LowBalanceRules,
): Consequence {
  const { companyId } = event.data
  const before = memory === null ? UNWATCHED : readWatch(memory as StoredWatch)
  const after = watchBalance(before, event, rules.get(companyId) ?? DEFAULT_RULE)
  const stored = writeWatch(after)
  if (!becameLow(before, after)) return { memory: stored, tasks: [] }
  const at = occurredAt(event)
  const { balanceMicros, filledMicros, lowBalanceMicros: limitMicros } = stored
  const cause: MailCause = { kind: 'low_balance', companyId, at, balanceMicros, filledMicros, limitMicros }
  return { memory: stored, tasks: isFresh(at, nowMs) ? [mailTask(event.id, cause)] : [] }
}

/** A memory of an earlier version has no rule. */
export type StoredWatch = {
  readonly balanceMicros: string
  readonly filledMicros: string
  readonly isLow: boolean
} & Partial<StoredRule>

export function readWatch({ balanceMicros, filledMicros, isLow, ...stored }: StoredWatch): BalanceWatch {
  const { lowBalance = 'DEFAULT', lowBalanceMicros = null } = stored
  const rule = lowBalanceRuleOf({ lowBalance, lowBalanceMicros })
  return { balanceMicros: BigInt(balanceMicros), filledMicros: BigInt(filledMicros), isLow, rule }
}

function writeWatch({ balanceMicros, filledMicros, isLow, rule }: BalanceWatch): StoredWatch & StoredRule {
  return { balanceMicros: String(balanceMicros), filledMicros: String(filledMicros), isLow, ...requireRule(rule) }
}

/** null if the event needs no action by a person. */
function causeOf(event: InvoiceEvent | SubscriptionEvent | CompanyEvent | UserEvent): MailCause | null {
  switch (event.type) {
    case 'CompanySuspended': {
      const { companyId, reason, suspendedAt } = event.data
      return { kind: 'company_suspended', companyId, reason, at: suspendedAt }
    }
    case 'CompanyResumed':
      return { kind: 'company_resumed', companyId: event.data.companyId, at: event.data.resumedAt }
    case 'InvoiceFinalized': {
      const { status, dueAt, subscriptionId } = event.data.facts
      // The invoices of subscriptions are charged to a card.
      if (status !== 'OPEN' || dueAt === null || subscriptionId !== null) return null
      return { kind: 'invoice_open', ...invoiceOf(event.data), dueAt }
    }
    case 'InvoicePaymentFailed':
      return { kind: 'payment_failed', ...invoiceOf(event.data), nextAttemptAt: event.data.nextAttemptAt }
    case 'InvoiceActionRequired':
      return { kind: 'payment_action_required', ...invoiceOf(event.data) }
    case 'InvoiceFinalizationFailed':
      return { kind: 'invoice_not_finalized', ...invoiceOf(event.data), reason: event.data.reason }
    case 'SubscriptionTrialEnding': {
      const { companyId, subscriptionId, saidAt, facts } = event.data
      return { kind: 'trial_ending', companyId, subscriptionId, at: saidAt, trialEndAt: facts.trialEndAt }
    }
    case 'SubscriptionPaused': {
      const { companyId, subscriptionId, saidAt } = event.data
      return { kind: 'subscription_paused', companyId, subscriptionId, at: saidAt }
    }
    case 'SubscriptionDuplicateEnded': {
      const { endedAt, ...data } = event.data
      return { kind: 'duplicate_subscription', at: endedAt, ...data }
    }
    default:
      return null
  }
}

type InvoiceData = Extract<InvoiceEvent, { type: 'InvoiceActionRequired' }>['data']

function invoiceOf({ invoiceId, companyId, saidAt, facts }: InvoiceData) {
  const { amountMinor, currency, payUrl } = facts
  return { invoiceId, companyId, at: saidAt, amountMinor, currency, payUrl }
}
