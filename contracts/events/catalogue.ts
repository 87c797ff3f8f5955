import { apiKeyEvents } from './apiKey.ts'
import { companyEvents } from './company.ts'
import { creditPackEvents } from './creditPack.ts'
import type { EventDefinition } from './definition.ts'
import { documentEvents } from './document.ts'
import { generatorEvents } from './generator.ts'
import { invoiceEvents } from './invoice.ts'
import { jobEvents } from './job.ts'
import { ledgerEvents } from './ledger.ts'
import { meetingEvents } from './meeting.ts'
import { planEvents } from './plan.ts'
import { pricingEvents } from './pricing.ts'
import { purchaseEvents } from './purchase.ts'
import { subscriptionEvents } from './subscription.ts'
import { talentEvents } from './talent.ts'
import { taskEvents } from './task.ts'
import { userEvents } from './user.ts'
import { webhookEvents } from './webhook.ts'

/** Every event type that the product writes, at its current version. */
export const EVENT_CATALOGUE: Readonly<Record<string, EventDefinition>> = {
  ...ledgerEvents,
  ...apiKeyEvents,
  ...pricingEvents,
  ...companyEvents,
  ...userEvents,
  ...planEvents,
  ...creditPackEvents,
  ...purchaseEvents,
  ...subscriptionEvents,
  ...invoiceEvents,
  ...webhookEvents,
  ...jobEvents,
  ...talentEvents,
  ...documentEvents,
  ...meetingEvents,
  ...taskEvents,
  ...generatorEvents,
}
