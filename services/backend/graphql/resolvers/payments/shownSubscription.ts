import { isActive } from '../../../../../domain/subscription/decider.ts'
import type { SubscriptionRow } from '../../../../../projections/subscriptions/projection.ts'
import type { Subscription } from '../../generated.ts'

export function shownSubscription(row: SubscriptionRow): Subscription {
  const { subscriptionId: id, status, planId, nextPlanId, cancelAtPeriodEnd, updatedAt } = row
  return {
    ...{ id, providerSubscriptionId: id, status, isActive: isActive(status), planId, nextPlanId },
    ...{ startDate: row.startedAt, endDate: row.endedAt, trialEnd: row.trialEndAt },
    ...{ currentPeriodEnd: row.periodEndAt, cancelAtPeriodEnd, updatedAt },
  }
}
