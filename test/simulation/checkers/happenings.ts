import { rowsOf } from '../database/rows.ts'
import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import { type EventTypes, only, type StoredEvent, storedEvents } from './events.ts'
import { countLines } from './lines.ts'
import { paymentOutcomes } from './paymentHappenings.ts'

/** Events that show it. */
const EVENTS: Partial<Record<EventTypes, string>> = {
  ChargeReversed: 'a charge is reversed',
  CallFailed: 'a failed call is recorded',
  CreditsRefunded: 'a refund takes credits back',
  CreditsAdjusted: 'credits are adjusted',
  InvoiceSettled: 'an invoice is settled',
  MonthClosed: 'a month is closed',
  MonthBilled: 'a month is billed',
  UsageInvoiceDrafted: 'a month is invoiced',
  PurchaseCompleted: 'a purchase is completed',
  PurchaseFailed: 'a purchase fails',
  PurchaseExpired: 'a purchase expires',
  InvoicePaid: 'a renewal is paid',
  SubscriptionAnswered: 'the provider is asked about a subscription',
  InvoiceAnswered: 'the provider is asked about an invoice',
  SubscriptionDuplicateEnded: 'a second subscription is ended',
  ApiKeyExpired: 'a key expires',
  ApiKeyRevoked: 'a key is revoked',
  CompanySuspended: 'a company is suspended',
  PriceBookPublished: 'prices are published',
  UserErased: 'a user is erased',
  InvitationAccepted: 'an invitation is accepted',
  WebhookEndpointDisabled: 'a webhook endpoint is disabled',
  CheckpointSigned: 'a checkpoint is signed',
  DisputeOpened: 'a dispute is opened',
  DisputeClosed: 'a dispute is closed',
  CreditsWithdrawn: 'disputed credits are withdrawn',
  TopUpStarted: 'a top-up is started',
  TopUpSucceeded: 'a top-up is paid',
  TopUpDeclined: 'a top-up is declined',
  TopUpConfirmationNeeded: 'a top-up needs confirmation',
  TopUpGivenUp: 'a top-up is given up',
  InsightGenerated: 'a meeting is summarised',
  BatchCompleted: 'matches are scored',
}

/** Counts what happened, from what processes log, rows and events. It finds nothing wrong. */
export function happenings(simulation: Simulation): Checker {
  const { pglite, server, counters, alarms } = simulation
  const failed = new Set<unknown>()
  let epoch = 0
  let isTakenOver = false
  let checkpoints = 0
  let scrubbedAt: string | null = null
  countLines(simulation)
  alarms.follow((line) => {
    if (line.msg === 'webhook event failed, retrying') failed.add(line.webhook)
  })
  return {
    invariant: 'what sometimes must happen is counted',
    watch: () => {
      if (!server.isFree) return null
      const [row] = rowsOf(
        pglite,
        `select (select epoch from platform.leases where name = 'sealer'), (select count(*) from ledger_log.checkpoints),
           (select finished_at from ledger_log.scrub)`,
      )
      const [epochNow, checkpointsNow, finishedAt] = row ?? []
      if (epoch > 0 && Number(epochNow) > epoch) {
        counters.hit('a lease is taken over')
        isTakenOver = true
      }
      if (isTakenOver && Number(checkpointsNow) > checkpoints) {
        counters.hit('a checkpoint is signed after a takeover')
        isTakenOver = false
      }
      if (finishedAt && finishedAt !== scrubbedAt) counters.hit('a scrub is finished')
      epoch = Number(epochNow)
      checkpoints = Number(checkpointsNow)
      scrubbedAt = finishedAt ?? scrubbedAt
      return null
    },
    end: () => {
      const events = storedEvents(pglite)
      for (const { type } of events) {
        const counter = EVENTS[type]
        if (counter !== undefined) counters.hit(counter)
      }
      for (const [counter, times] of [...laterOutcomes(events, failed), ...paymentOutcomes(events)])
        if (times > 0) counters.hit(counter, times)
      return null
    },
  }
}

/** What only several events together show. */
function laterOutcomes(events: readonly StoredEvent[], failed: ReadonlySet<unknown>): [string, number][] {
  const processed = only(events, 'WebhookProcessed').filter(({ data }) => failed.has(data.eventId))
  const returned = only(events, 'PurchaseCreditsCorrected', 'InvoiceCreditsCorrected').filter(
    ({ data }) => data.refundId !== null && data.adjustedBy === null,
  )
  const carried = only(events, 'MonthBilled').filter(({ data }) => data.carriedMicros !== '0')
  const late = events.filter(({ type }, at) => type === 'PurchaseCompleted' && isAfterEnd(events, at))
  return [
    ['a payment event is processed at a later try', processed.length],
    ['a failed refund is given back', returned.length],
    ['credits are carried into the next month', carried.length],
    ['a purchase is paid after it had ended', late.length],
  ]
}

function isAfterEnd(events: readonly StoredEvent[], at: number): boolean {
  const stream = events[at]?.stream
  const before = events.slice(0, at).filter((event) => event.stream === stream)
  return only(before, 'PurchaseFailed', 'PurchaseExpired').length > 0
}
