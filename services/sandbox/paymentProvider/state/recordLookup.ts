import type { ProviderContext } from '../providerContext.ts'
import { missingResource } from '../wire/paymentApiError.ts'

/** The names of the kinds in the provider's error messages. */
const NAMES_IN_MESSAGES = {
  product: 'product',
  price: 'price',
  customer: 'customer',
  checkoutSession: 'checkout.session',
  subscription: 'subscription',
  subscriptionSchedule: 'subscription schedule',
  invoice: 'invoice',
  paymentIntent: 'payment_intent',
  paymentMethod: 'payment_method',
  charge: 'charge',
  refund: 'refund',
  dispute: 'dispute',
  event: 'event',
} as const

export type NamedKind = keyof typeof NAMES_IN_MESSAGES

/** The object in the request's path, or a 404. */
export function requireRecord<K extends NamedKind>(context: ProviderContext, kind: K, id: string) {
  const found = context.state.get(kind, id)
  if (!found) throw missingResource(NAMES_IN_MESSAGES[kind], id, kind === 'price' ? 'price' : 'id', 404)
  return found
}

/** An object that a parameter of the request refers to, or a 400. */
export function requireReferenced<K extends NamedKind>(context: ProviderContext, kind: K, id: string, param: string) {
  const found = context.state.get(kind, id)
  if (!found) throw missingResource(NAMES_IN_MESSAGES[kind], id, param)
  return found
}
