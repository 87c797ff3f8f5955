import type { SubscriptionEvent, SubscriptionFacts, SubscriptionStatus } from '../../contracts/events/subscription.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Known } from '../../domain/providerReport.ts'
import { deactivated, learn } from '../../domain/subscription/decider.ts'
import type { Projection } from '../projection.ts'

export type SubscriptionRow = {
  readonly subscription_id: string
  readonly company_id: string
  readonly status: SubscriptionStatus
  readonly plan_id: string | null
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly trial_end_at: string | null
  readonly period_end_at: string | null
  readonly cancel_at_period_end: boolean
  /** The plan from the next period on, if it is another one. */
  readonly next_plan_id: string | null
  /** The company's earlier subscription, if this one is a second one and therefore ended. */
  readonly duplicate_of: string | null
  readonly duplicate_ended_at: string | null
  /** The second of this description; null if no event of the provider has described the subscription yet. */
  readonly said_at: string | null
  readonly answered: boolean
  readonly renews_at: string | null
  readonly renewal_minor: string | null
  readonly renewal_currency: string | null
  readonly renewal_said_at: string | null
  /** The provider's own time of its last report. */
  readonly heard_at: string
  readonly updated_at: string
}

export const subscriptions: Projection<SubscriptionRow, SubscriptionEvent> = {
  name: 'subscriptions',
  version: 2,
  categories: ['subscription'],
  table: 'subscriptions',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['subscription_id'],
  rowsOf: (event) => [{ subscription_id: event.data.subscriptionId }],
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
        const changed = known && { ...columnsOf(known), updated_at: known.saidAt }
        return withoutReachedPlan({ ...withReportTime(row, event.data.saidAt), ...changed })
      }
      case 'SubscriptionCheckedOut': {
        const { planId, saidAt } = event.data
        // It is paid. A description of the subscription itself is more precise, whether it comes before or after.
        const activated = row.said_at === null && { status: 'ACTIVE' as const, plan_id: planId, updated_at: saidAt }
        return { ...withReportTime(row, saidAt), ...activated }
      }
      case 'SubscriptionRenewalAnnounced': {
        const { saidAt, renewsAt, amountMinor, currency } = event.data
        if (row.renewal_said_at !== null && row.renewal_said_at >= saidAt) return row
        const renewal = { renews_at: renewsAt, renewal_minor: amountMinor, renewal_currency: currency }
        return { ...withReportTime(row, saidAt), ...renewal, renewal_said_at: saidAt }
      }
      case 'SubscriptionPlanScheduled':
        return withoutReachedPlan({ ...row, next_plan_id: event.data.planId })
      case 'SubscriptionDuplicateFound':
        return { ...row, duplicate_of: event.data.keptSubscriptionId }
      case 'SubscriptionDuplicateEnded': {
        const { keptSubscriptionId, endedAt } = event.data
        return { ...row, duplicate_of: keptSubscriptionId, duplicate_ended_at: endedAt }
      }
      case 'SubscriptionDeactivated': {
        const { deactivatedAt } = event.data
        const known = deactivated(knownOf(row), deactivatedAt)
        return withoutReachedPlan({ ...row, ...columnsOf(known), updated_at: deactivatedAt })
      }
      default:
        return unexpected(event)
    }
  },
}

/** The agreed plan is no longer the next one once it is in force or the subscription is over. */
function withoutReachedPlan(row: SubscriptionRow): SubscriptionRow {
  const isReached = row.next_plan_id === row.plan_id || row.status === 'CANCELED'
  return isReached ? { ...row, next_plan_id: null } : row
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
    subscription_id: data.subscriptionId,
    company_id: data.companyId,
    status: 'INCOMPLETE',
    plan_id: null,
    started_at: null,
    ended_at: null,
    trial_end_at: null,
    period_end_at: null,
    cancel_at_period_end: false,
    next_plan_id: null,
    duplicate_of: null,
    duplicate_ended_at: null,
    said_at: null,
    answered: false,
    renews_at: null,
    renewal_minor: null,
    renewal_currency: null,
    renewal_said_at: null,
    heard_at: at,
    updated_at: at,
  }
}

function withReportTime(row: SubscriptionRow, saidAt: string): SubscriptionRow {
  return saidAt > row.heard_at ? { ...row, heard_at: saidAt } : row
}

/** The decider's knowledge, as stored in the row. */
function knownOf(row: SubscriptionRow): Known<SubscriptionFacts> | null {
  if (row.said_at === null) return null
  const facts = {
    status: row.status,
    planId: row.plan_id,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    trialEndAt: row.trial_end_at,
    periodEndAt: row.period_end_at,
    cancelAtPeriodEnd: row.cancel_at_period_end,
  }
  return { facts, saidAt: row.said_at, answered: row.answered }
}

function columnsOf({ facts, saidAt, answered }: Known<SubscriptionFacts>) {
  return {
    status: facts.status,
    plan_id: facts.planId,
    started_at: facts.startedAt,
    ended_at: facts.endedAt,
    trial_end_at: facts.trialEndAt,
    period_end_at: facts.periodEndAt,
    cancel_at_period_end: facts.cancelAtPeriodEnd,
    said_at: saidAt,
    answered,
  }
}
