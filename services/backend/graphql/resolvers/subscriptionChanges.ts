import { streamName } from '../../../../contracts/streams.ts'
import { Refusal } from '../../../../domain/decider.ts'
import { isUpgrade, type PlanOffer } from '../../../../domain/plan/planChange.ts'
import { isActive, subscriptionDecider } from '../../../../domain/subscription/decider.ts'
import type { PlanRow } from '../../../../projections/plans/projection.ts'
import { planById } from '../../../../projections/plans/queries.ts'
import {
  type SubscriptionRow,
  subscriptions as subscriptionsModel,
} from '../../../../projections/subscriptions/projection.ts'
import { subscriptionOf } from '../../../../projections/subscriptions/queries.ts'
import { StaleBasis } from '../../../platform/commands/commandHandler.ts'
import { releaseLease, takeLease } from '../../../platform/leases/leases.ts'
import { type SubscriptionObject, subscriptionFactsOf } from '../../../platform/payments/providerObjects.ts'
import { requireCompany } from '../access.ts'
import { apiError, notFound } from '../apiError.ts'
import { change, type GraphqlContext, nowOf } from '../context.ts'
import type { Resolvers } from '../generated.ts'
import { requireId } from '../ids.ts'
import { PartlyDone } from '../maskError.ts'
import { shownSubscription } from './shownSubscription.ts'

/** Each time that an answer came too late, an event of the subscription was recorded. */
const QUESTIONS_MAX = 5
/** Longer than all calls of one change to the provider can take. */
const CHANGE_MS_MAX = 120_000

/** Changes of a company's subscription, at the provider and here. */
export const subscriptionChanges: Resolvers = {
  Mutation: {
    changePlan: (_source, { planId }, context) => {
      requireCompany(context)
      const id = requireId(planId, 'plan')
      return changing(context, 'to change; start one with createCheckout', (row) => changePlan(context, row, id))
    },
    cancelSubscription: (_source, _args, context) =>
      changing(context, 'to cancel', async ({ subscription_id: id }) => {
        await keepPlan(context, await context.payments.subscription(id))
        return recorded(context, id, 'the subscription will end with its period', () =>
          context.payments.setCancelAtPeriodEnd(id, true, keyOf(context, 'cancel')),
        )
      }),
    resumeSubscription: (_source, _args, context) =>
      changing(context, 'to resume; start one with createCheckout', async (row) => {
        if (!row.cancel_at_period_end) return row
        const id = row.subscription_id
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
  work: (row: SubscriptionRow) => Promise<SubscriptionRow>,
) {
  const companyId = requireCompany(context)
  const { database } = context.runtime.engines
  const lease = `subscription of ${companyId}`
  const epoch = await takeLease(database, lease, context.correlationId, CHANGE_MS_MAX)
  if (epoch === null) throw new Refusal('CONFLICT', 'another change of the subscription is under way; try again')
  try {
    const row = await subscriptionOf(database, companyId)
    if (!row || row.status === 'CANCELED') throw apiError('NOT_FOUND', `there is no subscription ${purpose}`)
    return shownSubscription(await work(row))
  } finally {
    await releaseLease(database, lease, epoch)
  }
}

async function changePlan(context: GraphqlContext, row: SubscriptionRow, planId: string): Promise<SubscriptionRow> {
  const { payments, runtime } = context
  const id = row.subscription_id
  const plan = await planById(runtime.engines.database, planId)
  if (!plan) throw notFound('plan', planId)
  const object = await payments.subscription(id)
  const { status, planId: currentId, cancelAtPeriodEnd } = subscriptionFactsOf(object)
  if (currentId === planId) return (await keepPlan(context, object)) ?? row
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
  const priceId = plan.provider_price_id
  if (priceId === null) throw new Refusal('INVALID', `plan ${planId} has no price at the payment provider`)
  if (current.currency !== plan.currency) {
    throw new Refusal('INVALID', `plan ${planId} is in ${plan.currency}, the subscription in ${current.currency}`)
  }
  if (!isUpgrade(offerOf(current), offerOf(plan))) {
    const prices = { priceId: item.price.id, nextPriceId: priceId }
    await payments.scheduleChange(object, { ...prices, idempotencyKey: keyOf(context, 'later') })
    return scheduled(context, id, planId)
  }
  await keepPlan(context, object)
  const upgrade = { itemId: item.id, priceId, planId, idempotencyKey: keyOf(context, 'upgrade') }
  return recorded(context, id, 'the subscription has the new plan', () => payments.upgrade(id, upgrade))
}

/** Gives up a change that was agreed for the end of the period; null if there was none. */
async function keepPlan(context: GraphqlContext, object: SubscriptionObject): Promise<SubscriptionRow | null> {
  if (!object.schedule) return null
  await context.payments.releaseSchedule(object.schedule, keyOf(context, 'release'))
  return scheduled(context, object.id, null)
}

function scheduled(context: GraphqlContext, subscriptionId: string, planId: string | null): Promise<SubscriptionRow> {
  const command = { type: 'SchedulePlan', subscriptionId, planId, at: nowOf(context) } as const
  return change(context, subscriptionsModel, subscriptionDecider, streamName('subscription', subscriptionId), command)
}

/**
 * Changes the subscription at the provider and records its answer. If an event of the provider was recorded meanwhile, the
 * answer may be older than that event, so the provider is asked again.
 */
async function recorded(
  context: GraphqlContext,
  subscriptionId: string,
  done: string,
  act: () => Promise<SubscriptionObject>,
): Promise<SubscriptionRow> {
  const { payments, runtime } = context
  const stream = streamName('subscription', subscriptionId)
  for (let question = 1; ; question++) {
    const { revision } = await runtime.engines.commands.stateWithRevision(subscriptionDecider, stream)
    const askedAt = nowOf(context)
    const object = question === 1 ? await act() : await payments.subscription(subscriptionId)
    const answer = { facts: subscriptionFactsOf(object), askedAt }
    const command = { type: 'RecordAnswer', subscriptionId, answer } as const
    try {
      return await change(context, subscriptionsModel, subscriptionDecider, stream, command, { basedOn: revision })
    } catch (error) {
      if (error instanceof StaleBasis && question < QUESTIONS_MAX) continue
      throw new PartlyDone(`${done}, which shows here when the payment provider reports it`, error)
    }
  }
}

function offerOf({ price, currency, credits_per_period_micros: credits }: PlanRow): PlanOffer {
  return { price, currency, creditsMicros: BigInt(credits) }
}

function keyOf({ correlationId }: GraphqlContext, what: string): string {
  return `tollgate:${what}:${correlationId}`
}
