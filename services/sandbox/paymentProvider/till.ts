import type { WebhookType } from '../../../contracts/events/webhook.ts'
import type { ProviderState } from './state/providerState.ts'
import type { Wire } from './state/records.ts'
import { noSuch } from './wire/refusal.ts'

/** What every part of the provider works with: what it knows, what time it is, and how the world hears of a change. */
export type Till = {
  readonly state: ProviderState
  /** Seconds since 1970, as the provider counts time. */
  now(): number
  /** Where the pages of the sandbox are. */
  url(): string
  /** Records an event of those that the endpoint is registered for, and has it delivered once the change that it belongs to is kept. */
  emit(type: WebhookType, object: object, previous?: object): void
}

/** How the provider calls its kinds in a message. */
const SPOKEN = {
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

export type SpokenKind = keyof typeof SPOKEN

/** The object that a request is about: 404 without it. */
export function theOne<K extends SpokenKind>(till: Till, kind: K, id: string) {
  const found = till.state.get(kind, id)
  if (!found) throw noSuch(SPOKEN[kind], id, kind === 'price' ? 'price' : 'id', 404)
  return found
}

/** An object that a request refers to in one of its parameters: 400 without it. */
export function referred<K extends SpokenKind>(till: Till, kind: K, id: string, param: string) {
  const found = till.state.get(kind, id)
  if (!found) throw noSuch(SPOKEN[kind], id, param)
  return found
}

/** The fields of `after` that were different, as they were: what an update's event calls previous attributes. */
export function previousOf(before: Wire, after: Wire): object {
  const changed = Object.keys(after).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  return Object.fromEntries(changed.map((field) => [field, before[field] ?? null]))
}
