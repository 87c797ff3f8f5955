import { z } from 'zod'
import { periodEnd } from '../billing/period.ts'
import { closeSchedule } from '../billing/schedule.ts'
import { previousAttributes } from '../events/previousAttributes.ts'
import type { ProviderContext } from '../providerContext.ts'
import { requireRecord, requireReferenced } from '../state/recordLookup.ts'
import type { SchedulePhase, Subscription, SubscriptionSchedule } from '../state/records.ts'
import type { Form } from '../wire/formBody.ts'
import { flag, integer, metadata, prorationBehavior, readParams, text } from '../wire/params.ts'
import { invalidParam, invalidState } from '../wire/paymentApiError.ts'
import type { PaymentOperation } from '../wire/paymentOperation.ts'

const creation = z.strictObject({ from_subscription: text })
const phase = z.strictObject({
  items: z
    .array(z.strictObject({ price: text, quantity: integer.optional() }))
    .min(1, 'must not be empty')
    .max(20, 'has more than 20 items'),
  start_date: integer.optional(),
  end_date: integer.optional(),
  iterations: integer.refine((count) => count >= 1 && count <= 100, 'must be between 1 and 100').optional(),
  proration_behavior: prorationBehavior.optional(),
})
const change = z.strictObject({
  phases: z.array(phase).min(1, 'must not be empty').max(10, 'has more than 10 phases').optional(),
  end_behavior: z.enum(['release', 'cancel'], 'must be release or cancel').optional(),
  metadata: metadata.optional(),
  proration_behavior: prorationBehavior.optional(),
})

export const scheduleOperations: readonly PaymentOperation[] = [
  { method: 'POST', path: '/v1/subscription_schedules', handle: createSchedule },
  {
    method: 'GET',
    path: '/v1/subscription_schedules/:id',
    handle: (context, _, id) => requireRecord(context, 'subscriptionSchedule', id),
  },
  { method: 'POST', path: '/v1/subscription_schedules/:id', handle: updateSchedule },
  {
    method: 'POST',
    path: '/v1/subscription_schedules/:id/release',
    handle: (context, form, id) => {
      readParams(z.strictObject({ preserve_cancel_date: flag.optional() }), form)
      const subscription = subscriptionOf(context, requireActive(context, id))
      const released = closeSchedule(context, subscription, 'released')
      setSchedule(context, subscription, null)
      return released ?? requireRecord(context, 'subscriptionSchedule', id)
    },
  },
]

/** Begins with one phase: the present period of the subscription. */
function createSchedule(context: ProviderContext, form: Form): SubscriptionSchedule {
  const { state, now, newId } = context
  const { from_subscription: id } = readParams(creation, form)
  const subscription = requireReferenced(context, 'subscription', id, 'from_subscription')
  if (subscription.status === 'canceled') throw invalidState(`${id} is canceled`)
  if (subscription.schedule) {
    throw invalidState(
      `You cannot migrate a subscription that is already attached to a schedule: ${subscription.schedule}`,
    )
  }
  const { current_period_start: start_date, current_period_end: end_date } = subscription
  const items = subscription.items.data.map(({ price, quantity }) => ({ price: price.id, quantity }))
  const schedule = state.put('subscriptionSchedule', {
    id: newId('subscriptionSchedule'),
    object: 'subscription_schedule',
    canceled_at: null,
    completed_at: null,
    created: now(),
    current_phase: { start_date, end_date },
    customer: subscription.customer,
    end_behavior: 'release',
    livemode: false,
    metadata: {},
    phases: [{ start_date, end_date, items }],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: id,
  })
  setSchedule(context, subscription, schedule.id)
  return schedule
}

function updateSchedule(context: ProviderContext, form: Form, id: string): SubscriptionSchedule {
  const before = requireActive(context, id)
  const given = readParams(change, form)
  if (given.end_behavior === 'cancel') throw invalidParam('end_behavior', 'The sandbox supports only release.')
  if (!given.phases) return before
  const phases: SchedulePhase[] = []
  for (const [at, phase] of given.phases.entries()) {
    const start = phase.start_date ?? phases.at(-1)?.end_date
    const [item] = phase.items
    if (start === undefined || !item)
      throw invalidParam(`phases[${at}][start_date]`, 'The first phase needs a start_date.')
    if (at > 0 && start !== phases.at(-1)?.end_date) {
      throw invalidParam(`phases[${at}][start_date]`, 'A phase must start when the one before it ends.')
    }
    const items = phase.items.map(({ price, quantity = 1 }, n) => {
      const { id: priceId, recurring } = requireReferenced(context, 'price', price, `phases[${at}][items][${n}][price]`)
      if (!recurring)
        throw invalidParam(`phases[${at}][items][${n}][price]`, 'This field only accepts recurring prices.')
      return { price: priceId, quantity }
    })
    const recurring = requireReferenced(context, 'price', item.price, 'phases').recurring
    let end = phase.end_date
    if (end === undefined && recurring) {
      end = start
      for (let n = 0; n < (phase.iterations ?? 1); n++) end = periodEnd(end, recurring)
    }
    if (end === undefined || end <= start)
      throw invalidParam(`phases[${at}][end_date]`, 'A phase must end after its start.')
    phases.push({ start_date: start, end_date: end, items })
  }
  if (phases[0]?.start_date !== before.current_phase?.start_date) {
    throw invalidParam('phases[0][start_date]', 'You can not modify the start date of the current phase.')
  }
  return context.state.put('subscriptionSchedule', { ...before, phases })
}

function requireActive(context: ProviderContext, id: string): SubscriptionSchedule {
  const schedule = requireRecord(context, 'subscriptionSchedule', id)
  if (schedule.status !== 'active') {
    throw invalidState(`You cannot change a subscription schedule that is ${schedule.status}.`)
  }
  return schedule
}

function subscriptionOf(context: ProviderContext, { subscription }: SubscriptionSchedule): Subscription {
  return requireRecord(context, 'subscription', subscription ?? '')
}

function setSchedule({ state, emit }: ProviderContext, before: Subscription, schedule: string | null): void {
  const after = state.put('subscription', { ...before, schedule })
  emit('customer.subscription.updated', after, previousAttributes(before, after))
}
