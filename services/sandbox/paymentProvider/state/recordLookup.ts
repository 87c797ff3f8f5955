import type { ProviderContext } from '../providerContext.ts'
import { missingResource } from '../wire/paymentApiError.ts'

/** How the provider calls its kinds in a message. */
const NAMES_IN_MESSAGES = {
  product: 'product',
  price: 'price',
  customer: 'customer',
  checkoutSession: 'checkout.session',
  subscription: 'subscription',
  invoice: 'invoice',
  paymentIntent: 'payment_intent',
  charge: 'charge',
  refund: 'refund',
  event: 'event',
} as const

export type NamedKind = keyof typeof NAMES_IN_MESSAGES

/** The object that a request is about: 404 without it. */
export function requireRecord<K extends NamedKind>(context: ProviderContext, kind: K, id: string) {
  const found = context.state.get(kind, id)
  if (!found) throw missingResource(NAMES_IN_MESSAGES[kind], id, kind === 'price' ? 'price' : 'id', 404)
  return found
}

/** An object that a request refers to in one of its parameters: 400 without it. */
export function requireReferenced<K extends NamedKind>(context: ProviderContext, kind: K, id: string, param: string) {
  const found = context.state.get(kind, id)
  if (!found) throw missingResource(NAMES_IN_MESSAGES[kind], id, param)
  return found
}
