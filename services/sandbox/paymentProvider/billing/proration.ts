import type { ProviderContext } from '../providerContext.ts'
import type { Subscription, SubscriptionItem } from '../state/records.ts'
import type { LineFacts } from './invoiceLifecycle.ts'

/** The lines for a change of items within a period: the unused time of the old ones, and the rest of it for the new ones. */
export function prorationLines(context: ProviderContext, before: Subscription, after: Subscription): LineFacts[] {
  const { current_period_start: start, current_period_end: end } = before
  const now = Math.min(Math.max(context.now(), start), end)
  // A trial is free, so there is nothing to bill for its rest.
  if (before.status === 'trialing' || now === end) return []
  const share = (end - now) / (end - start)
  const lineOf = (item: SubscriptionItem, sign: 1 | -1): LineFacts => {
    const name = context.state.get('product', item.price.product)?.name ?? item.price.product
    return {
      amount: sign * Math.round(item.price.unit_amount * item.quantity * share),
      description: sign < 0 ? `Unused time on ${name}` : `Remaining time on ${name}`,
      price: item.price,
      quantity: item.quantity,
      start: now,
      end,
      isProration: true,
    }
  }
  const isIn = (items: readonly SubscriptionItem[], { price, quantity }: SubscriptionItem) =>
    items.some((one) => one.price.id === price.id && one.quantity === quantity)
  return [
    ...before.items.data.filter((item) => !isIn(after.items.data, item)).map((item) => lineOf(item, -1)),
    ...after.items.data.filter((item) => !isIn(before.items.data, item)).map((item) => lineOf(item, 1)),
  ]
}
