import { expect, test } from 'vitest'
import type { SubscriptionEvent, SubscriptionFacts } from '../../contracts/events/subscription.ts'
import { streamName } from '../../contracts/streams.ts'
import type { SubscriptionNews } from '../../domain/subscription/decider.ts'
import { COMPANY, PLAN, second, subscriptionFacts, USER } from '../../test/support/events/billingEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { applyEvents } from '../projection.ts'
import { subscriptions } from './projection.ts'

const about = { subscriptionId: 'sub_1', companyId: COMPANY }
const report = (type: SubscriptionNews, n: number, changes: Partial<SubscriptionFacts> = {}): SubscriptionEvent => ({
  type,
  data: { ...about, saidAt: second(n), facts: subscriptionFacts(changes) },
})
const answeredAt = (askedAt: string): SubscriptionEvent => {
  const facts = subscriptionFacts({ status: 'UNPAID' })
  return { type: 'SubscriptionAnswered', data: { ...about, saidAt: second(2), facts, askedAt } }
}
const checkedOut: SubscriptionEvent = {
  type: 'SubscriptionCheckedOut',
  data: { ...about, saidAt: second(3), sessionId: 'cs_1', planId: PLAN, userId: USER },
}
const renewal: SubscriptionEvent = {
  type: 'SubscriptionRenewalAnnounced',
  data: { ...about, saidAt: second(4), amountMinor: '4900', currency: 'usd', renewsAt: second(40) },
}
const rowsAfter = (...events: SubscriptionEvent[]) => [
  ...applyEvents(subscriptions, history(streamName('subscription', 'sub_1'), ...events)).values(),
]

test('a subscription has the newest description from the provider', () => {
  expect(
    rowsAfter(report('SubscriptionCreated', 1, { status: 'INCOMPLETE' }), report('SubscriptionUpdated', 2)),
  ).toEqual([
    {
      subscriptionId: 'sub_1',
      companyId: COMPANY,
      status: 'ACTIVE',
      planId: PLAN,
      startedAt: second(0),
      endedAt: null,
      trialEndAt: null,
      periodEndAt: '2026-04-01T10:00:00.000Z',
      cancelAtPeriodEnd: false,
      nextPlanId: null,
      duplicateOf: null,
      duplicateEndedAt: null,
      saidAt: second(2),
      answered: false,
      renewsAt: null,
      renewalMinor: null,
      renewalCurrency: null,
      renewalSaidAt: null,
      heardAt: second(2),
      updatedAt: second(2),
    },
  ])
})

test('an older description changes nothing, and neither does one after the end', () => {
  const newest = report('SubscriptionPaused', 9, { status: 'PAUSED' })
  expect(rowsAfter(newest, report('SubscriptionUpdated', 2))).toEqual(rowsAfter(newest))
  const canceled = report('SubscriptionCanceled', 5, { status: 'CANCELED', endedAt: second(5) })
  expect(rowsAfter(newest, canceled)).toMatchObject([{ status: 'CANCELED', endedAt: second(5), heardAt: second(9) }])
})

test('a checkout makes a subscription active until the provider describes it, and changes nothing after that', () => {
  expect(rowsAfter(checkedOut)).toMatchObject([{ status: 'ACTIVE', planId: PLAN }])
  const created = report('SubscriptionCreated', 1, { status: 'INCOMPLETE' })
  expect(rowsAfter(checkedOut, created)).toEqual(rowsAfter(created, checkedOut))
  expect(rowsAfter(created, checkedOut)).toMatchObject([{ status: 'INCOMPLETE', heardAt: second(3) }])
})

test('an announced renewal is stored with the subscription', () => {
  expect(rowsAfter(report('SubscriptionCreated', 1), renewal)).toMatchObject([
    { status: 'ACTIVE', renewsAt: second(40), renewalMinor: '4900', renewalCurrency: 'usd', heardAt: second(4) },
  ])
  expect(rowsAfter(renewal, report('SubscriptionCreated', 1))).toEqual(
    rowsAfter(report('SubscriptionCreated', 1), renewal),
  )
})

test('an answer applies to the second that was asked about', () => {
  const answered = answeredAt(second(30))
  expect(rowsAfter(report('SubscriptionUpdated', 2), answered)).toMatchObject([{ status: 'UNPAID', answered: true }])
  expect(rowsAfter(report('SubscriptionUpdated', 2), answered, report('SubscriptionUpdated', 3))).toMatchObject([
    { status: 'ACTIVE', answered: false },
  ])
  expect(rowsAfter(report('SubscriptionUpdated', 2), answeredAt(second(2)))).toMatchObject([
    { status: 'UNPAID', answered: false },
  ])
})

test('a deactivated subscription is canceled at that time and keeps its other data', () => {
  const off: SubscriptionEvent = { type: 'SubscriptionDeactivated', data: { ...about, deactivatedAt: second(50) } }
  expect(rowsAfter(report('SubscriptionCreated', 1), off)).toMatchObject([
    { status: 'CANCELED', planId: PLAN, endedAt: second(50), updatedAt: second(50), heardAt: second(1) },
  ])
})

test('the agreed plan is shown until it is in force, given up, or the subscription has ended', () => {
  const NEXT = '99999999-9999-4999-8999-999999999999'
  const scheduled = (planId: string | null): SubscriptionEvent => ({
    type: 'SubscriptionPlanScheduled',
    data: { ...about, planId, scheduledAt: second(2) },
  })
  const reported = (n: number, changes: object): SubscriptionEvent => ({
    type: 'SubscriptionUpdated',
    data: { ...about, saidAt: second(n), facts: subscriptionFacts(changes) },
  })
  const first = reported(1, {})
  expect(rowsAfter(first, scheduled(NEXT))).toMatchObject([{ planId: PLAN, nextPlanId: NEXT }])
  expect(rowsAfter(first, scheduled(NEXT), scheduled(null))).toMatchObject([{ nextPlanId: null }])
  expect(rowsAfter(first, scheduled(NEXT), reported(3, { planId: NEXT }))).toMatchObject([
    { planId: NEXT, nextPlanId: null },
  ])
  expect(rowsAfter(first, scheduled(NEXT), reported(3, { status: 'CANCELED' }))).toMatchObject([{ nextPlanId: null }])
})
