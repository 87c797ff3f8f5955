import { StaleBasis } from '../../../../../capabilities/commands/commandHandler.ts'
import { type SubscriptionObject, subscriptionFactsOf } from '../../../../../capabilities/payments/providerObjects.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { Refusal } from '../../../../../domain/decider.ts'
import { isFinal, subscriptionDecider } from '../../../../../domain/subscription/decider.ts'
import {
  type SubscriptionRow,
  subscriptions as subscriptionsModel,
} from '../../../../../projections/subscriptions/projection.ts'
import { subscriptionOf } from '../../../../../projections/subscriptions/queries.ts'
import { change, type GraphqlContext, nowOf } from '../../context.ts'
import { PartlyDone } from '../../maskError.ts'

/** How many times the provider is asked again because an event of the subscription was recorded meanwhile. */
const QUESTIONS_MAX = 5
/** Subscriptions of one company that may turn out to have ended before the caller is asked to try again. */
const ENDED_MAX = 3

/** A subscription as stored here, and as the provider reports it now. */
export type PresentSubscription = { readonly row: SubscriptionRow; readonly object: SubscriptionObject }

/**
 * The company's subscription that has not ended, the running one if there are several; null if there is none. The provider
 * is asked, because its events may be late or lost: one that has ended there is recorded as ended.
 */
export async function presentSubscription(
  context: GraphqlContext,
  companyId: string,
): Promise<PresentSubscription | null> {
  const { payments, runtime } = context
  for (let ended = 0; ended < ENDED_MAX; ended++) {
    const row = await subscriptionOf(runtime.engines.database, companyId)
    if (!row || row.status === 'CANCELED') return null
    const id = row.subscriptionId
    const object = await payments.subscription(id)
    if (!isFinal(subscriptionFactsOf(object))) return { row, object }
    await recorded(context, id, `subscription ${id} has ended`, () => payments.subscription(id))
  }
  throw new Refusal('CONFLICT', 'the subscription is changing; try again')
}

/**
 * Changes the subscription at the provider and records its answer. If an event of the provider was recorded meanwhile, the
 * answer may be older than that event, so the provider is asked again.
 */
export async function recorded(
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
