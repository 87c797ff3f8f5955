import { isActive } from '../../../../../domain/subscription/decider.ts'
import type { SubscriptionRow } from '../../../../../projections/subscriptions/projection.ts'
import type { Subscription } from '../../generated.ts'

export function shownSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.subscriptionId,
    status: row.status,
    isActive: isActive(row.status),
    planId: row.planId,
    providerSubscriptionId: row.subscriptionId,
    startDate: row.startedAt,
    endDate: row.endedAt,
    trialEnd: row.trialEndAt,
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
    nextPlanId: row.nextPlanId,
    currentPeriodEnd: row.periodEndAt,
    updatedAt: row.updatedAt,
  }
}
