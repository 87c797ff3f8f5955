import type { ProviderContext } from '../providerContext.ts'
import { requireReferenced } from '../state/recordLookup.ts'
import type { Subscription, SubscriptionItem, SubscriptionSchedule } from '../state/records.ts'

/** The items from the next period on, by the subscription's schedule if it has one. */
export function nextItems(context: ProviderContext, subscription: Subscription): readonly SubscriptionItem[] {
  const phase = nextPhase(context, subscription)
  if (!phase) return subscription.items.data
  const [first] = subscription.items.data
  return phase.items.flatMap(({ price, quantity }) =>
    first ? [{ ...first, price: requireReferenced(context, 'price', price, 'phases'), quantity }] : [],
  )
}

/** Moves the schedule to the phase of the next period. After the last phase it is released. Returns the schedule's id. */
export function advanceSchedule(context: ProviderContext, subscription: Subscription): string | null {
  const schedule = scheduleOf(context, subscription)
  if (!schedule) return null
  const phase = nextPhase(context, subscription)
  if (!phase) {
    closeSchedule(context, subscription, 'released')
    return null
  }
  const { start_date, end_date } = phase
  return context.state.put('subscriptionSchedule', { ...schedule, current_phase: { start_date, end_date } }).id
}

/** Ends the schedule of a subscription, if it has one. */
export function closeSchedule(
  context: ProviderContext,
  subscription: Subscription,
  status: 'released' | 'canceled',
): SubscriptionSchedule | null {
  const schedule = scheduleOf(context, subscription)
  if (!schedule) return null
  const at = { [`${status}_at`]: context.now() }
  const released = status === 'released' ? { released_subscription: subscription.id, subscription: null } : {}
  return context.state.put('subscriptionSchedule', { ...schedule, ...at, ...released, status, current_phase: null })
}

function nextPhase(context: ProviderContext, subscription: Subscription) {
  const { current_period_end: end } = subscription
  return scheduleOf(context, subscription)?.phases.find(({ start_date }) => start_date === end)
}

function scheduleOf({ state }: ProviderContext, { schedule: id }: Subscription): SubscriptionSchedule | undefined {
  // A subscription of an earlier version's journal has no such field.
  return id ? state.get('subscriptionSchedule', id) : undefined
}
