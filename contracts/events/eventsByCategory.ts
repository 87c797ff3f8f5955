import type { Category } from '../streams.ts'
import { apiKeyEvents } from './apiKey.ts'
import { companyEvents } from './company.ts'
import { creditPackEvents } from './creditPack.ts'
import type { EventDefinition, EventUnion } from './definition.ts'
import { differenceEvents } from './difference.ts'
import { disputeEvents } from './dispute.ts'
import { documentEvents } from './document.ts'
import { generatorEvents } from './generator.ts'
import { invoiceEvents } from './invoice.ts'
import { jobEvents } from './job.ts'
import { ledgerEvents } from './ledger.ts'
import { meetingEvents } from './meeting.ts'
import { paymentEventChanges } from './paymentEvent.ts'
import { planEvents } from './plan.ts'
import { pricingEvents } from './pricing.ts'
import { purchaseEvents } from './purchase.ts'
import { subscriptionEvents } from './subscription.ts'
import { talentEvents } from './talent.ts'
import { taskEvents } from './task.ts'
import { topUpEvents } from './topUp.ts'
import { transparencyEvents } from './transparency.ts'
import { userEvents } from './user.ts'

/** The event types in the streams of each category. All typed reads derive from this map. */
export const EVENTS_BY_CATEGORY = {
  ledger: ledgerEvents,
  apiKey: apiKeyEvents,
  pricing: pricingEvents,
  company: companyEvents,
  user: userEvents,
  plan: planEvents,
  creditPack: creditPackEvents,
  purchase: purchaseEvents,
  topUp: topUpEvents,
  subscription: subscriptionEvents,
  invoice: invoiceEvents,
  dispute: disputeEvents,
  difference: differenceEvents,
  webhook: paymentEventChanges,
  job: jobEvents,
  talent: talentEvents,
  document: documentEvents,
  meeting: meetingEvents,
  task: taskEvents,
  generator: generatorEvents,
  log: transparencyEvents,
} satisfies Readonly<Record<Category, Readonly<Record<string, EventDefinition>>>>

type UnionByCategory = { readonly [C in Category]: EventUnion<(typeof EVENTS_BY_CATEGORY)[C]> }

/** The union of the events in streams of the category, at their current versions. */
export type EventOf<C extends Category = Category> = UnionByCategory[C]

export type EventType = EventOf['type']

/** The data of one event type at its current version. */
export type EventData<Type extends EventType> = Extract<EventOf, { readonly type: Type }>['data']

/** The categories whose events are all among `Event`. */
export type CategoryOf<Event> = { [C in Category]: EventOf<C> extends Event ? C : never }[Category]
