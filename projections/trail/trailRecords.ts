import type { EventData, EventType } from '../../contracts/events/eventsByCategory.ts'
import type { GrantSource } from '../../contracts/events/ledger.ts'
import { UUID_SOURCE } from '../../contracts/uuid.ts'

export type Fact = string | number | boolean | null | readonly string[]

/** What the trail keeps of an event besides its envelope: whom it concerns, and what changed. */
export type TrailRecord = {
  /** null: the event names no company. It belongs to the platform, or its stream says whose it is. */
  readonly companyId?: string | null
  readonly userId?: string | null
  readonly keyId?: string | null
  readonly purchaseId?: string | null
  readonly invoiceId?: string | null
  /** No personal fields, no secrets or their hashes, and no costs of the operator. */
  readonly facts: Readonly<Record<string, Fact>>
}

type Recorder<Type extends EventType> = (data: EventData<Type>) => TrailRecord

/** Selected by name, so that a field added to an event later is not shown until someone decides so. */
function only<Data extends object, Field extends keyof Data & string>(data: Data, ...fields: readonly Field[]) {
  const facts: Record<string, Fact> = {}
  for (const field of fields) if (data[field] !== undefined) facts[field] = data[field] as Fact
  return facts
}

type Facts<Type extends EventType> = keyof EventData<Type> & string

/** An event whose data has the ids under their usual names. */
function about<Type extends EventType>(...fields: readonly Facts<Type>[]): Recorder<Type> {
  return (data) => {
    const { companyId, userId, keyId, purchaseId, invoiceId } = data as unknown as Omit<TrailRecord, 'facts'>
    return { companyId, userId, keyId, purchaseId, invoiceId, facts: only(data, ...fields) } as TrailRecord
  }
}

type ReportType = Extract<EventType, `Subscription${string}` | `Invoice${string}`>
type Reports = { readonly facts: Readonly<Record<string, unknown>> }

/** A report of the payment provider: what it says about the object. */
function report<Type extends ReportType>(...fields: readonly Facts<Type>[]): Recorder<Type> {
  const of = about<Type>(...fields)
  return (data) => {
    const record = of(data)
    const { facts } = data as unknown as Reports
    const said = only(facts, 'status', 'planId', 'amountMinor', 'currency', 'dueAt', 'periodEndAt', 'cancelAtPeriodEnd')
    return { ...record, facts: { ...record.facts, ...said } }
  }
}

/** A report about a dispute. */
function dispute({ companyId, disputeId, facts }: EventData<'DisputeUpdated'>): TrailRecord {
  const said = only(facts, 'status', 'isInquiry', 'amountMinor', 'currency', 'reason', 'respondBy')
  return { companyId, facts: { disputeId, ...said } }
}

const OF_PURCHASE = new RegExp(`^(?:refund of )?purchase (${UUID_SOURCE})$`)
const OF_INVOICE = /^(?:refund of )?invoice ([A-Za-z0-9_-]{1,200})$/

/** The ledger names the payment behind a booking only in words. */
export function paymentOf(reason: string): { readonly purchaseId: string | null; readonly invoiceId: string | null } {
  return { purchaseId: OF_PURCHASE.exec(reason)?.[1] ?? null, invoiceId: OF_INVOICE.exec(reason)?.[1] ?? null }
}

function booking(
  data: { readonly companyId: string; readonly reason: string },
  facts: TrailRecord['facts'],
): TrailRecord {
  return { companyId: data.companyId, ...paymentOf(data.reason), facts }
}

/** The sources of grants that follow from payments. */
const PAID_FOR: ReadonlySet<GrantSource> = new Set(['PACK_PURCHASE', 'SUBSCRIPTION'])

/**
 * How each event appears in the trail; null if it does not. Omitted is what no person or system component did on its
 * own: calls, which have their own lists, price books that follow into the log, the batches of the generator, the tasks
 * that workers complete, and the checkpoints of the log.
 */
export const TRAIL_RECORDS: { readonly [Type in EventType]: Recorder<Type> | null } = {
  CallCharged: null,
  CallFailed: null,
  PriceBookAnchored: null,
  BatchStarted: null,
  BatchCompleted: null,
  TaskCompleted: null,
  CheckpointSigned: null,

  // `bookedAt` is the ledger's own time, by which a reconciliation finds the bookings of a month.
  CreditsGranted: (data) => {
    const facts = { ...only(data, 'source', 'amountMicros', 'reason'), bookedAt: data.grantedAt }
    return PAID_FOR.has(data.source) ? booking(data, facts) : { companyId: data.companyId, facts }
  },
  CreditsRefunded: (data) => booking(data, { ...only(data, 'amountMicros', 'reason'), bookedAt: data.refundedAt }),
  CreditsExpired: about('grantId', 'amountMicros'),
  CreditsWithdrawn: about('grantId', 'disputeId', 'amountMicros'),
  CreditsReinstated: about('grantId', 'disputeId', 'amountMicros'),
  CreditsAdjusted: about('amountMicros', 'reason', 'corrects'),
  ChargeReversed: about('callId', 'alias', 'amountMicros', 'reason'),
  MonthClosed: about('month'),
  MonthBilled: about('month', 'creditsMicros', 'amountMinor', 'currency'),
  InvoiceSettled: ({ companyId, invoiceId, settledAt, ...data }) => ({
    companyId,
    invoiceId,
    facts: { ...only(data, 'month', 'amountMicros'), bookedAt: settledAt },
  }),

  ApiKeyMinted: ({ companyId, keyId, budget, ...data }) => ({
    companyId,
    keyId,
    facts: {
      ...only(data, 'name', 'hint', 'scopes', 'models', 'rpm', 'tpm', 'expiresAt', 'label', 'rotatedFrom'),
      ...budgetOf(budget),
    },
  }),
  ApiKeyUpdated: ({ keyId, budget, ...data }) => ({
    keyId,
    facts: { ...only(data, 'name', 'scopes', 'models', 'rpm', 'tpm', 'expiresAt', 'label'), ...budgetOf(budget) },
  }),
  ApiKeyRotated: about('siblingKeyId'),
  ApiKeyRevoked: about(),
  ApiKeyExpired: about(),

  PriceBookPublished: ({ companyId, bookId, effectiveFrom, prices, retired }) => ({
    companyId,
    facts: { bookId, effectiveFrom, aliases: Object.keys(prices), retired },
  }),

  CompanyRegistered: about('name', 'billingMode', 'hardCap'),
  BillingModeChanged: about('billingMode', 'planId'),
  CreditLimitChanged: about('limitMicros'),
  HardCapChanged: about('hardCap'),
  PaymentCustomerAssigned: about('customerId'),
  RoleAssigned: about('role'),
  UserRemoved: about(),
  CompanySuspended: about('reason', 'disputeId'),
  CompanyResumed: about(),
  NoticeSettingsChanged: about('lowBalance', 'lowBalanceMicros'),
  // The path of the address often contains a token of the receiver.
  WebhookEndpointCreated: ({ companyId, endpointId, url, types }) => ({
    companyId,
    facts: { endpointId, host: URL.parse(url)?.host ?? '', types },
  }),
  WebhookEndpointDisabled: about('endpointId', 'reason'),
  WebhookEndpointDeleted: about('endpointId'),
  UserInvited: about('invitationId', 'role', 'expiresAt'),
  InvitationAccepted: about('invitationId'),
  InvitationWithdrawn: about('invitationId'),
  CompanyAccessed: about(),

  UserRegistered: about('isSuperAdmin'),
  PasswordChanged: about(),
  PasswordResetRequested: about('expiresAt'),
  UserJoined: about(),
  SignedOutEverywhere: about(),
  UserErased: about(),

  PlanCreated: about('planId', 'name', 'billingMode', 'price', 'currency', 'creditsPerPeriodMicros', 'dueDays'),
  PlanPriced: about('planId', 'productId', 'priceId'),
  PlanUpdated: about('planId', 'name', 'sortOrder'),
  PlanRetired: about('planId'),
  CreditPackCreated: about('packId', 'name', 'creditsMicros', 'price', 'currency', 'sortOrder'),
  CreditPackPriced: about('packId', 'productId', 'priceId'),
  CreditPackUpdated: about('packId', 'name', 'sortOrder'),
  CreditPackRetired: about('packId'),

  TopUpMethodSaved: about('purchaseId', 'agreedBy'),
  TopUpMethodRemoved: about('methodId', 'removedBy'),
  TopUpSet: about('thresholdMicros', 'packId', 'ceilingMinor', 'currency'),
  TopUpSwitchedOff: about('reason'),
  TopUpStarted: about('attemptId', 'balanceMicros', 'packId', 'amountMinor', 'currency'),
  TopUpSucceeded: about('attemptId', 'paymentIntentId'),
  TopUpDeclined: about('attemptId', 'amountMinor', 'currency', 'paymentIntentId', 'reason'),
  TopUpConfirmationNeeded: about('attemptId', 'amountMinor', 'currency', 'paymentIntentId', 'confirmBy'),
  TopUpGivenUp: about('attemptId', 'reason'),
  PurchaseStarted: about('packId', 'creditsMicros', 'price', 'currency'),
  PurchaseCheckoutOpened: about('sessionId', 'expiresAt'),
  PurchaseCompleted: about('sessionId', 'paymentIntentId', 'paidMinor', 'currency', 'creditsMicros'),
  PurchaseFailed: about('reason'),
  PurchaseExpired: about(),
  PurchaseRefundSeen: about('chargedMinor', 'refundedMinor'),
  PurchaseCreditsTakenBack: about('amountMicros', 'totalMicros'),
  PurchaseCreditsCorrected: about('amountMicros', 'reason', 'refundId'),
  PurchaseDisputeSeen: about('disputeId', 'chargedMinor', 'disputedMinor'),
  PurchaseCreditsWithdrawn: about('disputeId', 'amountMicros'),
  PurchaseCreditsReinstated: about('disputeId', 'amountMicros'),

  SubscriptionCreated: report('subscriptionId'),
  SubscriptionUpdated: report('subscriptionId'),
  SubscriptionPaused: report('subscriptionId'),
  SubscriptionResumed: report('subscriptionId'),
  SubscriptionCanceled: report('subscriptionId'),
  SubscriptionTrialEnding: report('subscriptionId'),
  SubscriptionAnswered: report('subscriptionId'),
  SubscriptionCheckedOut: about('subscriptionId', 'sessionId', 'planId'),
  SubscriptionRenewalAnnounced: about('subscriptionId', 'amountMinor', 'currency', 'renewsAt'),
  SubscriptionPlanScheduled: about('subscriptionId', 'planId'),
  SubscriptionDuplicateFound: about('subscriptionId', 'keptSubscriptionId'),
  SubscriptionDuplicateEnded: ({ companyId, refunded, ...data }) => ({
    companyId,
    facts: {
      ...only(data, 'subscriptionId', 'keptSubscriptionId'),
      ...(refunded ? { refundedMinor: refunded.amountMinor, currency: refunded.currency } : {}),
    },
  }),
  SubscriptionDeactivated: about('subscriptionId'),

  InvoiceFinalized: report(),
  InvoicePaid: (data) => {
    const record = report<'InvoicePaid'>()(data)
    return data.grant ? { ...record, facts: { ...record.facts, creditsMicros: data.grant.creditsMicros } } : record
  },
  InvoicePaymentFailed: report('nextAttemptAt'),
  InvoiceActionRequired: report(),
  InvoiceFinalizationFailed: report('reason'),
  InvoiceVoided: report(),
  InvoiceMarkedUncollectible: report(),
  InvoiceAnswered: report(),
  UsageInvoiceDrafted: about('month', 'creditsMicros'),
  UsageInvoiceSettled: about('month', 'creditsMicros'),
  UsageInvoiceEnded: about('month', 'outcome', 'reason'),
  InvoiceRefundSeen: about('chargedMinor', 'refundedMinor'),
  InvoiceCreditsTakenBack: about('amountMicros', 'totalMicros'),
  InvoiceCreditsCorrected: about('amountMicros', 'reason', 'refundId'),
  InvoiceDisputeSeen: about('disputeId', 'chargedMinor', 'disputedMinor'),
  InvoiceCreditsWithdrawn: about('disputeId', 'amountMicros'),
  InvoiceCreditsReinstated: about('disputeId', 'amountMicros'),

  DisputeOpened: (data) => {
    const { purchaseId, invoiceId, chargeId } = data.payment
    const { facts } = dispute(data)
    return { companyId: data.companyId, purchaseId, invoiceId, facts: { ...facts, chargeId } }
  },
  DisputeUpdated: dispute,
  DisputeClosed: dispute,

  DifferenceExplained: about('differenceId', 'reason', 'explainedAt'),

  WebhookReceived: about('eventId', 'type'),
  WebhookProcessed: about('eventId', 'attempt', 'effect'),
  WebhookFailed: about('eventId', 'attempt', 'error'),
  WebhookReplayed: about('eventId', 'attempt'),

  JobPosted: about('jobId', 'title'),
  JobPublished: about('jobId'),
  JobClosed: about('jobId'),
  TalentRegistered: about('talentId'),
  TalentErased: about('talentId'),
  DocumentUploaded: about('documentId', 'kind', 'bytes', 'talentId', 'jobId'),
  DocumentProcessed: about('documentId', 'talentId', 'jobId'),
  DocumentFailed: about('documentId', 'error'),
  RoomCreated: about('room'),
  RoomDestroyed: about('room'),
  MeetingHeld: about('room', 'startedAt', 'endedAt'),
  MeetingWithdrawn: about('room', 'startedAt', 'endedAt'),
  InsightGenerated: about('insightId', 'room', 'jobId', 'talentId', 'summaryBy'),
  TaskParked: about('taskId', 'worker', 'subject', 'attempts', 'error'),
  TaskRequeued: about('taskId', 'worker'),
  GeneratorStarted: about('name', 'lastBatch'),
  GeneratorStopped: about('name', 'lastBatch'),
  LogKeyRotated: about('origin', 'oldVkey', 'newVkey', 'size'),
  LogOriginStarted: about('origin', 'reason', 'size'),
  EventRepaired: about('eventId', 'stream', 'revision', 'found', 'reason'),
}

function budgetOf(
  budget: { readonly amountMicros: string; readonly period: string } | null | undefined,
): TrailRecord['facts'] {
  if (budget === undefined) return {}
  return { budgetMicros: budget?.amountMicros ?? null, budgetPeriod: budget?.period ?? null }
}

/** The event types of the trail, ordered by name. */
export const TRAIL_TYPES: readonly string[] = Object.entries(TRAIL_RECORDS)
  .filter(([, record]) => record !== null)
  .map(([type]) => type)
  .toSorted()
