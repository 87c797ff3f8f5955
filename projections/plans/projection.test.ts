import { expect, test } from 'vitest'
import type { PlanEvent } from '../../contracts/events/plan.ts'
import { streamName } from '../../contracts/streams.ts'
import { PLAN, second } from '../../test/support/events/billingEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { applyEvents } from '../projection.ts'
import { plans } from './projection.ts'
import { needsProviderPricing } from './queries.ts'

const created = (billingMode: 'PREPAID' | 'POSTPAID' = 'PREPAID'): PlanEvent => {
  const offer = {
    price: '49.5',
    currency: 'usd',
    creditsPerPeriodMicros: '5000000000',
    dueDays: 30,
    rolloverShare: '500000',
  }
  return { type: 'PlanCreated', data: { planId: PLAN, name: 'Team', billingMode, ...offer, createdAt: second(0) } }
}
const priced: PlanEvent = {
  type: 'PlanPriced',
  data: { planId: PLAN, productId: 'prod_1', priceId: 'price_1', pricedAt: second(1) },
}
const retired: PlanEvent = { type: 'PlanRetired', data: { planId: PLAN, retiredAt: second(2) } }
const rowAfter = (...events: PlanEvent[]) => {
  const [row] = applyEvents(plans, history(streamName('plan', PLAN), ...events)).values()
  if (!row) throw new Error('no row')
  return row
}

test('a created plan has no ids of the provider', () => {
  expect(rowAfter(created())).toEqual({
    planId: PLAN,
    name: 'Team',
    active: true,
    billingMode: 'PREPAID',
    price: '49.5',
    currency: 'usd',
    creditsPerPeriodMicros: '5000000000',
    dueDays: '30',
    rolloverShare: '500000',
    providerProductId: null,
    providerPriceId: null,
    sortOrder: '0',
    createdAt: second(0),
    updatedAt: second(0),
  })
})

test('pricing sets the ids, retirement deactivates the plan; both set updated_at', () => {
  expect(rowAfter(created(), priced)).toMatchObject({
    providerProductId: 'prod_1',
    providerPriceId: 'price_1',
    active: true,
    updatedAt: second(1),
  })
  expect(rowAfter(created(), priced, retired)).toMatchObject({ active: false, updatedAt: second(2) })
})

test('active plans without a price need one, except POSTPAID plans', () => {
  expect(needsProviderPricing(rowAfter(created()))).toBe(true)
  expect(needsProviderPricing(rowAfter(created(), priced))).toBe(false)
  expect(needsProviderPricing(rowAfter(created(), retired))).toBe(false)
  expect(needsProviderPricing(rowAfter(created('POSTPAID')))).toBe(false)
})

test('a plan has its last name and place', () => {
  const updated: PlanEvent = { type: 'PlanUpdated', data: { planId: PLAN, sortOrder: -2, updatedAt: second(2) } }
  const renamed: PlanEvent = { type: 'PlanUpdated', data: { planId: PLAN, name: 'Crew', updatedAt: second(3) } }
  expect(rowAfter(created(), updated, renamed)).toMatchObject({
    name: 'Crew',
    sortOrder: '-2',
    updatedAt: second(3),
  })
})
