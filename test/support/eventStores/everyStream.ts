import { randomUUID } from 'node:crypto'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import type { BatchScore } from '../../../contracts/events/generator.ts'
import {
  type Category,
  CHECKPOINTS_STREAM,
  PRICING_STREAM,
  type StreamName,
  streamName,
} from '../../../contracts/streams.ts'
import {
  disputeFacts,
  disputeOpened,
  invoiceFacts,
  purchaseCompleted,
  purchaseStarted,
  second,
  subscriptionFacts,
} from '../events/billingEvents.ts'
import {
  hardCapChanged,
  jobClosed,
  jobPosted,
  jobPublished,
  minted,
  noticeSettingsChanged,
  published,
  registered,
  revoked,
  roleAssigned,
  suspended,
  talentErased,
  talentRegistered,
  userErased,
  userInvited,
  userRegistered,
  webhookEndpointCreated,
} from '../events/controlEvents.ts'
import {
  AT,
  adjusted,
  anchored,
  charged,
  granted,
  invoiceSettled,
  monthBilled,
  monthClosed,
  refunded,
  reversed,
} from '../events/ledgerEvents.ts'
import { topUpMethodSaved, topUpSet, topUpStarted, topUpSucceeded } from '../events/topUpEvents.ts'
import { insightGenerated, meetingHeld, parked, processed, requeued, uploaded } from '../events/workerEvents.ts'

export type StreamHistory = { readonly stream: StreamName; readonly events: readonly EventOf[] }

/** The events of one stream of every category, all with the same id. Every read model finds its events among them. */
export function everyStream(id: string = randomUUID()): StreamHistory[] {
  const charge = charged(id)
  const lives: { readonly [C in Category]: readonly EventOf<C>[] } = {
    ledger: [
      granted(id),
      charge,
      charged(id, { label: 'team-a' }),
      reversed(charge),
      refunded(id),
      adjusted(id),
      monthClosed(id),
      monthBilled(id),
      invoiceSettled(id),
      anchored(id),
    ],
    apiKey: [minted(id, { expiresAt: '2027-01-01T00:00:00.000Z' }), revoked(id)],
    pricing: [published(id), published(randomUUID())],
    company: [
      registered(id, 'Zürich 東京 🚀'),
      hardCapChanged(id, true),
      hardCapChanged(id, false),
      roleAssigned(id, id),
      suspended(id),
      noticeSettingsChanged(id, '5000000'),
      webhookEndpointCreated(id, id),
      userInvited(id, id),
    ],
    user: [userRegistered(id, id), userErased(id)],
    plan: planLife(id),
    creditPack: packLife(id),
    purchase: [purchaseStarted(id, id), purchaseCompleted(id, id)],
    topUp: [topUpMethodSaved(id), topUpSet(id), topUpStarted(id, id), topUpSucceeded(id, id)],
    subscription: subscriptionLife(id),
    invoice: invoiceLife(id),
    dispute: disputeLife(id),
    difference: [
      {
        type: 'DifferenceExplained',
        data: { differenceId: id, reason: 'paid in cash', explainedBy: id, explainedAt: AT },
      },
    ],
    webhook: paymentEventLife(id),
    job: [jobPosted(id, id), jobPublished(id, id), jobClosed(id, id)],
    talent: [talentRegistered(id, id), talentErased(id, id)],
    generator: generatorLife(id, { jobId: id, talentId: id, companyId: id }),
    document: [uploaded(id, id), processed(id, id)],
    meeting: [meetingHeld(id), insightGenerated(id, id)],
    task: [parked(id), requeued(id)],
    log: transparencyLife(),
  }
  return Object.entries(lives).map(([category, events]) => ({
    stream: SINGLE_STREAMS.get(category) ?? streamName(category as Category, id),
    events,
  }))
}

/** Categories that have one stream only. */
const SINGLE_STREAMS: ReadonlyMap<string, StreamName> = new Map<string, StreamName>([
  ['pricing', PRICING_STREAM],
  ['log', CHECKPOINTS_STREAM],
])

const OFFER = { name: 'Team', price: '49', currency: 'usd', createdAt: AT }
const AT_PROVIDER = { productId: 'prod_1', priceId: 'price_1', pricedAt: second(1) }

function planLife(planId: string): EventOf<'plan'>[] {
  const created = {
    planId,
    ...OFFER,
    billingMode: 'PREPAID',
    creditsPerPeriodMicros: '5000000000',
    dueDays: 14,
    rolloverShare: null,
  } as const
  return [
    { type: 'PlanCreated', data: created },
    { type: 'PlanPriced', data: { planId, ...AT_PROVIDER } },
    { type: 'PlanUpdated', data: { planId, name: 'Crew', sortOrder: 2, updatedAt: second(2) } },
  ]
}

function disputeLife(companyId: string): EventOf<'dispute'>[] {
  const opened = disputeOpened(`du_${companyId}`, companyId)
  const { disputeId } = opened.data
  const lost = { facts: disputeFacts({ status: 'LOST' }), saidAt: second(9), askedAt: null }
  return [opened, { type: 'DisputeClosed', data: { disputeId, companyId, ...lost } }]
}

function packLife(packId: string): EventOf<'creditPack'>[] {
  const created = { packId, ...OFFER, creditsMicros: '1000000000', sortOrder: 1, validDays: null }
  return [
    { type: 'CreditPackCreated', data: created },
    { type: 'CreditPackPriced', data: { packId, ...AT_PROVIDER } },
    { type: 'CreditPackUpdated', data: { packId, name: 'First pack', updatedAt: second(2) } },
  ]
}

function subscriptionLife(companyId: string): EventOf<'subscription'>[] {
  const subject = { subscriptionId: `sub_${companyId}`, companyId }
  return [
    { type: 'SubscriptionCreated', data: { ...subject, saidAt: second(1), facts: subscriptionFacts() } },
    {
      type: 'SubscriptionUpdated',
      data: { ...subject, saidAt: second(2), facts: subscriptionFacts({ status: 'PAST_DUE' }) },
    },
  ]
}

function invoiceLife(companyId: string): EventOf<'invoice'>[] {
  const subject = { invoiceId: `in_${companyId}`, companyId }
  const paid = invoiceFacts({ status: 'PAID', paidAt: second(3) })
  return [
    { type: 'InvoiceFinalized', data: { ...subject, saidAt: second(2), facts: invoiceFacts() } },
    { type: 'InvoicePaid', data: { ...subject, saidAt: second(3), facts: paid, grant: null } },
  ]
}

function paymentEventLife(id: string): EventOf<'webhook'>[] {
  const eventId = `evt_${id}`
  const received = { eventId, type: 'invoice.paid', userId: null, body: '{}', saidAt: AT, receivedAt: AT } as const
  return [
    { type: 'WebhookReceived', data: received },
    { type: 'WebhookProcessed', data: { eventId, attempt: 1, effect: 'credits were granted', processedAt: AT } },
  ]
}

function transparencyLife(): EventOf<'log'>[] {
  const root = Buffer.alloc(32).toString('base64')
  const origin = 'log.example'
  return [
    { type: 'CheckpointSigned', data: { origin, size: 0, root, note: `${origin}\n0\n${root}\n`, signedAt: AT } },
    {
      type: 'LogKeyRotated',
      data: { origin, oldVkey: `${origin}+1`, newVkey: `${origin}+2`, size: 0, note: 'a note', rotatedAt: AT },
    },
    { type: 'LogOriginStarted', data: { origin: 'log.example/2', reason: 'restored', size: 0, startedAt: AT } },
  ]
}

export function generatorLife(
  name: string,
  { jobId, talentId, companyId }: { readonly jobId: string; readonly talentId: string; readonly companyId: string },
): EventOf<'generator'>[] {
  const parts = { skills: 80, experience: 70, location: 100, language: 50, seniority: 60 }
  const score: BatchScore = { job: 0, talent: 0, score: 75, parts, adjustment: null, explanation: 'Knows welding.' }
  const jobs = [{ jobId, companyId, version: 'j1' }]
  const sides = { jobs, talents: [{ talentId, version: 't1' }] }
  return [
    { type: 'GeneratorStarted', data: { name, lastBatch: 0, startedAt: AT } },
    { type: 'BatchStarted', data: { name, batch: 1, pairs: 1, startedAt: AT } },
    { type: 'BatchCompleted', data: { name, batch: 1, ...sides, scores: [score], failed: 0, completedAt: AT } },
  ]
}
