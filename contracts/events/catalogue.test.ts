import { describe, expect, test } from 'vitest'
import { apiKeyEvents } from './apiKey.ts'
import { EVENT_CATALOGUE } from './catalogue.ts'
import { companyEvents } from './company.ts'
import { creditPackEvents } from './creditPack.ts'
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

const groups = [
  ledgerEvents,
  apiKeyEvents,
  pricingEvents,
  companyEvents,
  userEvents,
  planEvents,
  creditPackEvents,
  purchaseEvents,
  subscriptionEvents,
  invoiceEvents,
  webhookEvents,
  jobEvents,
  talentEvents,
  documentEvents,
  meetingEvents,
  taskEvents,
  generatorEvents,
]

test('no two aggregates share the name of an event: one would be read by the schema of the other', () => {
  const names = groups.flatMap((group) => Object.keys(group))
  expect(Object.keys(EVENT_CATALOGUE).sort()).toEqual(names.sort())
})

describe.each(Object.entries(EVENT_CATALOGUE))('%s', (type, { version, upcasters, schema }) => {
  test('is named as the event store allows', () => {
    expect(type).toMatch(/^[A-Z][A-Za-z0-9]{0,99}$/)
  })

  test('can be read from every version before the current one', () => {
    const before = Array.from({ length: version - 1 }, (_, n) => String(n + 1))
    expect(Object.keys(upcasters)).toEqual(before)
  })

  test('refuses data that its schema does not name', () => {
    const issues = schema.safeParse({ unheardOf: 1 }).error?.issues ?? []
    expect(issues.map((issue) => issue.code)).toContain('unrecognized_keys')
  })
})
