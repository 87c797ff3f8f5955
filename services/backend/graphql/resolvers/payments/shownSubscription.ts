import { isActive } from '../../../../../domain/subscription/decider.ts'
import type { SubscriptionRow } from '../../../../../projections/subscriptions/projection.ts'
import type { Subscription } from '../../generated.ts'

export function shownSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.subscription_id,
    status: row.status,
    isActive: isActive(row.status),
    planId: row.plan_id,
    providerSubscriptionId: row.subscription_id,
    startDate: row.started_at,
    endDate: row.ended_at,
    trialEnd: row.trial_end_at,
    cancelAtPeriodEnd: row.cancel_at_period_end,
    nextPlanId: row.next_plan_id,
    currentPeriodEnd: row.period_end_at,
    updatedAt: row.updated_at,
  }
}
