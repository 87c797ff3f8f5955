import type { SubscriptionEvent, SubscriptionFacts } from '../../contracts/events/subscription.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Known } from '../../domain/providerReport.ts'
import { deactivated, learn } from '../../domain/subscription/decider.ts'
import type { Projection } from '../projection.ts'

export type SubscriptionRow = SubscriptionFacts & {
  readonly subscriptionId: string
  readonly companyId: string
  /** The plan from the next period on, if different. */
  readonly nextPlanId: string | null
  /** The company's earlier subscription, if this one is a duplicate and was therefore ended. */
  readonly duplicateOf: string | null
  readonly duplicateEndedAt: string | null
  /** The second of this description; null if no event of the provider has described the subscription yet. */
  readonly saidAt: string | null
  readonly answered: boolean
  readonly renewsAt: string | null
  readonly renewalMinor: string | null
  readonly renewalCurrency: string | null
  readonly renewalSaidAt: string | null
  /** The provider's own time of its last report. */
  readonly heardAt: string
  readonly updatedAt: string
}

export const subscriptions: Projection<SubscriptionRow, SubscriptionEvent> = {
  name: 'subscriptions',
  version: 2,
  categories: ['subscription'],
  table: 'subscriptions',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['subscriptionId'],
  rowsOf: (event) => [{ subscriptionId: event.data.subscriptionId }],
  evolve: (before, event) => {
    const row = before ?? rowWithoutReport(event)
    switch (event.type) {
      case 'SubscriptionCreated':
      case 'SubscriptionUpdated':
      case 'SubscriptionPaused':
      case 'SubscriptionResumed':
      case 'SubscriptionCanceled':
      case 'SubscriptionTrialEnding':
      case 'SubscriptionAnswered': {
        const known = learn(knownOf(row), event)
        const changed = known && { ...fieldsOf(known), updatedAt: known.saidAt }
        return withoutReachedPlan({ ...withReportTime(row, event.data.saidAt), ...changed })
      }
      case 'SubscriptionCheckedOut': {
        const { planId, saidAt } = event.data
        // It is paid. A description of the subscription itself is more precise, whether it comes before or after.
        const activated = row.saidAt === null && { status: 'ACTIVE' as const, planId, updatedAt: saidAt }
        return { ...withReportTime(row, saidAt), ...activated }
      }
      case 'SubscriptionRenewalAnnounced': {
        const { saidAt, renewsAt, amountMinor, currency } = event.data
        if (row.renewalSaidAt !== null && row.renewalSaidAt >= saidAt) return row
        const renewal = { renewsAt, renewalMinor: amountMinor, renewalCurrency: currency }
        return { ...withReportTime(row, saidAt), ...renewal, renewalSaidAt: saidAt }
      }
      case 'SubscriptionPlanScheduled':
        return withoutReachedPlan({ ...row, nextPlanId: event.data.planId })
      case 'SubscriptionDuplicateFound':
        return { ...row, duplicateOf: event.data.keptSubscriptionId }
      case 'SubscriptionDuplicateEnded': {
        const { keptSubscriptionId, endedAt } = event.data
        return { ...row, duplicateOf: keptSubscriptionId, duplicateEndedAt: endedAt }
      }
      case 'SubscriptionDeactivated': {
        const { deactivatedAt } = event.data
        const known = deactivated(knownOf(row), deactivatedAt)
        return withoutReachedPlan({ ...row, ...fieldsOf(known), updatedAt: deactivatedAt })
      }
      default:
        return unexpected(event)
    }
  },
}

/** The agreed plan is no longer the next one once it is in force or the subscription has ended. */
function withoutReachedPlan(row: SubscriptionRow): SubscriptionRow {
  const isReached = row.nextPlanId === row.planId || row.status === 'CANCELED'
  return isReached ? { ...row, nextPlanId: null } : row
}

function timeOf({ type, data }: SubscriptionEvent): string {
  switch (type) {
    case 'SubscriptionDeactivated':
      return data.deactivatedAt
    case 'SubscriptionPlanScheduled':
      return data.scheduledAt
    case 'SubscriptionDuplicateFound':
      return data.foundAt
    case 'SubscriptionDuplicateEnded':
      return data.endedAt
    default:
      return data.saidAt
  }
}

function rowWithoutReport(event: SubscriptionEvent): SubscriptionRow {
  const { data } = event
  const at = timeOf(event)
  return {
    subscriptionId: data.subscriptionId,
    companyId: data.companyId,
    status: 'INCOMPLETE',
    planId: null,
    startedAt: null,
    endedAt: null,
    trialEndAt: null,
    periodEndAt: null,
    cancelAtPeriodEnd: false,
    nextPlanId: null,
    duplicateOf: null,
    duplicateEndedAt: null,
    saidAt: null,
    answered: false,
    renewsAt: null,
    renewalMinor: null,
    renewalCurrency: null,
    renewalSaidAt: null,
    heardAt: at,
    updatedAt: at,
  }
}

function withReportTime(row: SubscriptionRow, saidAt: string): SubscriptionRow {
  return saidAt > row.heardAt ? { ...row, heardAt: saidAt } : row
}

/** What the decider knows, as stored in the row. */
function knownOf(row: SubscriptionRow): Known<SubscriptionFacts> | null {
  if (row.saidAt === null) return null
  const { status, planId, startedAt, endedAt, trialEndAt, periodEndAt, cancelAtPeriodEnd } = row
  const facts = { status, planId, startedAt, endedAt, trialEndAt, periodEndAt, cancelAtPeriodEnd }
  return { facts, saidAt: row.saidAt, answered: row.answered }
}

function fieldsOf({ facts, ...report }: Known<SubscriptionFacts>) {
  return { ...facts, ...report }
}
