import { subscriptionFactsOf } from '../../../../../capabilities/payments/providerObjects.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { Refusal } from '../../../../../domain/decider.ts'
import { isUpgrade, type PlanOffer } from '../../../../../domain/plan/planChange.ts'
import { isActive, subscriptionDecider } from '../../../../../domain/subscription/decider.ts'
import { releaseLease, takeLease } from '../../../../../platform/leases/leases.ts'
import type { PlanRow } from '../../../../../projections/plans/projection.ts'
import { planById } from '../../../../../projections/plans/queries.ts'
import {
  type SubscriptionRow,
  subscriptions as subscriptionsModel,
} from '../../../../../projections/subscriptions/projection.ts'
import { requireCompany } from '../../access/access.ts'
import { apiError, notFound } from '../../apiError.ts'
import { change, type GraphqlContext, nowOf } from '../../context.ts'
import type { Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { PartlyDone } from '../../maskError.ts'
import { type PresentSubscription, presentSubscription, recorded } from './presentSubscription.ts'
import { shownSubscription } from './shownSubscription.ts'

/** Longer than all calls of one change to the provider can take. */
const CHANGE_MS_MAX = 120_000

/** Changes of a company's subscription, at the provider and here. */
export const subscriptionChanges: Resolvers = {
  Mutation: {
    changePlan: (_source, { planId }, context) => {
      requireCompany(context)
      const id = requireId(planId, 'plan')
      return changing(context, 'to change; start one with createCheckout', (present) =>
        changePlan(context, present, id),
      )
    },
    cancelSubscription: (_source, _args, context) =>
      changing(context, 'to cancel', async (present) => {
        const id = present.object.id
        await keepPlan(context, present)
        return recorded(context, id, 'the subscription will end with its period', () =>
          context.payments.setCancelAtPeriodEnd(id, true, keyOf(context, 'cancel')),
        )
      }),
    resumeSubscription: (_source, _args, context) =>
      changing(context, 'to resume; start one with createCheckout', async ({ row, object }) => {
        const { id, cancel_at_period_end: ends } = object
        if (!ends && !row.cancelAtPeriodEnd) return row
        return recorded(context, id, 'the subscription will not end with its period', () =>
          context.payments.setCancelAtPeriodEnd(id, false, keyOf(context, 'resume')),
        )
      }),
  },
}

/** One change of a company at a time: each of them is decided by what the provider says at its beginning. */
async function changing(
  context: GraphqlContext,
  purpose: string,
  work: (present: PresentSubscription) => Promise<SubscriptionRow>,
) {
  const companyId = requireCompany(context)
  const { database } = context.runtime.engines
  const lease = `subscription of ${companyId}`
  const epoch = await takeLease(database, lease, context.correlationId, CHANGE_MS_MAX)
  if (epoch === null) throw new Refusal('CONFLICT', 'another change of the subscription is under way; try again')
  try {
    const present = await presentSubscription(context, companyId)
    if (!present) throw apiError('NOT_FOUND', `there is no subscription ${purpose}`)
    return shownSubscription(await work(present))
  } finally {
    await releaseLease(database, lease, epoch)
  }
}

async function changePlan(
  context: GraphqlContext,
  present: PresentSubscription,
  planId: string,
): Promise<SubscriptionRow> {
  const { payments, runtime } = context
  const { row, object } = present
  const { id } = object
  const plan = await planById(runtime.engines.database, planId)
  if (!plan) throw notFound('plan', planId)
  const { status, planId: currentId, cancelAtPeriodEnd } = subscriptionFactsOf(object)
  if (currentId === planId) {
    const kept = (await keepPlan(context, present)) ?? row
    // The provider's report on an earlier change may be late.
    return kept.planId === planId ? kept : recorded(context, id, NEW_PLAN, () => payments.subscription(id))
  }
  if (!plan.active) throw notFound('plan', planId)
  if (!isActive(status) || status === 'PAST_DUE') {
    throw new Refusal('INVALID', `subscription ${id} is ${status}; its plan can be changed once it is paid`)
  }
  if (cancelAtPeriodEnd)
    throw new Refusal('INVALID', `subscription ${id} ends with its period; call resumeSubscription first`)
  const current = currentId && (await planById(runtime.engines.database, currentId))
  const item = object.items?.data[0]
  if (!current || !item?.id || !item.price?.id) {
    throw new Refusal('INVALID', `subscription ${id} has a price that belongs to none of our plans`)
  }
  const priceId = plan.providerPriceId
  if (priceId === null) throw new Refusal('INVALID', `plan ${planId} has no price at the payment provider`)
  if (current.currency !== plan.currency) {
    throw new Refusal('INVALID', `plan ${planId} is in ${plan.currency}, the subscription in ${current.currency}`)
  }
  if (!isUpgrade(offerOf(current), offerOf(plan))) {
    const prices = { priceId: item.price.id, nextPriceId: priceId }
    await payments.scheduleChange(object, { ...prices, idempotencyKey: keyOf(context, 'later') })
    return scheduled(context, id, planId)
  }
  const upgrade = { itemId: item.id, priceId, planId, idempotencyKey: keyOf(context, 'upgrade') }
  const upgraded = await recorded(context, id, NEW_PLAN, () => payments.upgrade(id, upgrade))
  // A smaller plan that was agreed is given up last: if the payment fails, nothing has changed.
  const kept = keepPlan(context, present).catch((error: unknown) => {
    throw new PartlyDone(`${NEW_PLAN}, but the change at the end of the period still stands; try again`, error)
  })
  return (await kept) ?? upgraded
}

const NEW_PLAN = 'the subscription has the new plan'

/** Gives up a change that was agreed for the end of the period; null if there was none. */
async function keepPlan(
  context: GraphqlContext,
  { row, object }: PresentSubscription,
): Promise<SubscriptionRow | null> {
  // Without a schedule, an earlier attempt may have released it and failed to record that.
  if (object.schedule) await context.payments.releaseSchedule(object.schedule, keyOf(context, 'release'))
  else if (row.nextPlanId === null) return null
  return scheduled(context, object.id, null)
}

function scheduled(context: GraphqlContext, subscriptionId: string, planId: string | null): Promise<SubscriptionRow> {
  const command = { type: 'SchedulePlan', subscriptionId, planId, at: nowOf(context) } as const
  return change(context, subscriptionsModel, subscriptionDecider, streamName('subscription', subscriptionId), command)
}

function offerOf({ price, currency, creditsPerPeriodMicros: credits }: PlanRow): PlanOffer {
  return { price, currency, creditsMicros: BigInt(credits) }
}

function keyOf({ correlationId }: GraphqlContext, what: string): string {
  return `tollgate:${what}:${correlationId}`
}
