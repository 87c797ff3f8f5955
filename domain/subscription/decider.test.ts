import { describe, expect, test } from 'vitest'
import type { SubscriptionEvent, SubscriptionFacts } from '../../contracts/events/subscription.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { COMPANY, PLAN, second, subscriptionFacts, USER } from '../../test/support/events/billingEvents.ts'
import { isActive, type SubscriptionCommand, type SubscriptionNews, subscriptionDecider } from './decider.ts'

const given = specificationOf(subscriptionDecider)
const about = { subscriptionId: 'sub_1', companyId: COMPANY }

type Changes = Partial<SubscriptionFacts>
const event = (type: SubscriptionNews, n: number, changes: Changes = {}): SubscriptionEvent => ({
  type,
  data: { ...about, saidAt: second(n), facts: subscriptionFacts(changes) },
})
const WELL_AFTER = second(30)
const answered = (n: number, changes: Changes = {}, askedAt = WELL_AFTER): SubscriptionEvent => ({
  type: 'SubscriptionAnswered',
  data: { ...about, saidAt: second(n), facts: subscriptionFacts(changes), askedAt },
})
const record = (
  news: SubscriptionNews,
  n: number,
  changes: Changes = {},
  answer: Changes | null = null,
  askedAt = WELL_AFTER,
): SubscriptionCommand => ({
  type: 'RecordSubscription',
  news,
  ...about,
  saidAt: second(n),
  facts: subscriptionFacts(changes),
  answer: answer && { facts: subscriptionFacts(answer), askedAt },
})
const canceled = { status: 'CANCELED', endedAt: second(7) } as const

test('a report of the provider is recorded, even if it is older than what is known', () => {
  given().when(record('SubscriptionCreated', 1)).then(event('SubscriptionCreated', 1))
  given(event('SubscriptionUpdated', 9))
    .when(record('SubscriptionTrialEnding', 5))
    .then(event('SubscriptionTrialEnding', 5))
})

test('a report after the end of a subscription is ignored', () => {
  given(event('SubscriptionCanceled', 3, canceled))
    .when(record('SubscriptionUpdated', 9))
    .thenNothing()
  given(event('SubscriptionUpdated', 9))
    .when(record('SubscriptionCanceled', 3, canceled))
    .then(event('SubscriptionCanceled', 3, canceled))
})

describe('two events of one second that disagree', () => {
  const before = event('SubscriptionUpdated', 5, { status: 'PAST_DUE' })

  test('cannot be recorded without asking the provider', () => {
    given(before)
      .when(record('SubscriptionUpdated', 5))
      .thenThrows('CONFLICT', /has to be asked/)
  })

  test('are settled by its answer', () => {
    given(before)
      .when(record('SubscriptionTrialEnding', 5, {}, { status: 'UNPAID' }))
      .then(event('SubscriptionTrialEnding', 5), answered(5, { status: 'UNPAID' }))
    given(before)
      .when(record('SubscriptionUpdated', 5, {}, canceled))
      .then(answered(5, canceled))
    const settled = [before, answered(5, { status: 'UNPAID' })]
    given(...settled)
      .when(record('SubscriptionUpdated', 5))
      .then(event('SubscriptionUpdated', 5))
  })

  test('are settled only by a question after that second: a subscription paused later in it is asked about again', () => {
    const within = '2026-03-01T10:00:05.300Z'
    const active = [before, answered(5, {}, within)]
    given(...active)
      .when(record('SubscriptionPaused', 5, { status: 'PAUSED' }))
      .thenThrows('CONFLICT', /has to be asked/)
    given(...active)
      .when(record('SubscriptionPaused', 5, { status: 'PAUSED' }, { status: 'PAUSED' }))
      .then(event('SubscriptionPaused', 5, { status: 'PAUSED' }), answered(5, { status: 'PAUSED' }))
    given(...active)
      .when(record('SubscriptionUpdated', 5))
      .then(event('SubscriptionUpdated', 5))
  })
})

test('the answer to a change replaces what was known, and newer reports replace the answer', () => {
  const facts = subscriptionFacts({ cancelAtPeriodEnd: true })
  const answer: SubscriptionCommand = {
    type: 'RecordAnswer',
    subscriptionId: 'sub_1',
    answer: { facts, askedAt: WELL_AFTER },
  }
  given(event('SubscriptionCreated', 4))
    .when(answer)
    .then(answered(4, { cancelAtPeriodEnd: true }))
  given().when(answer).thenThrows('NOT_FOUND')
  given(event('SubscriptionCanceled', 4, canceled))
    .when(answer)
    .thenNothing()
})

test('a checkout and an announced renewal are recorded in every state', () => {
  const checkout = { ...about, saidAt: second(2), sessionId: 'cs_1', planId: PLAN, userId: USER }
  given()
    .when({ type: 'CheckOutSubscription', ...checkout })
    .then({ type: 'SubscriptionCheckedOut', data: checkout })
  const renewal = { ...about, saidAt: second(2), amountMinor: '4900', currency: 'usd', renewsAt: second(30) }
  given()
    .when({ type: 'AnnounceRenewal', ...renewal })
    .then({ type: 'SubscriptionRenewalAnnounced', data: renewal })
})

test('an operator deactivates a subscription once and for all', () => {
  const deactivate: SubscriptionCommand = { type: 'DeactivateSubscription', subscriptionId: 'sub_1', at: second(40) }
  const deactivated = { type: 'SubscriptionDeactivated', data: { ...about, deactivatedAt: second(40) } } as const
  given(event('SubscriptionCreated', 1)).when(deactivate).then(deactivated)
  given(event('SubscriptionCreated', 1), deactivated).when(deactivate).thenNothing()
  given(event('SubscriptionCreated', 1), deactivated).when(record('SubscriptionUpdated', 50)).thenNothing()
  given().when(deactivate).thenThrows('NOT_FOUND')
})

test('a subscription is active while it is paid, on trial, or a payment is late', () => {
  expect((['ACTIVE', 'TRIALING', 'PAST_DUE'] as const).every(isActive)).toBe(true)
  expect((['INCOMPLETE', 'PAUSED', 'UNPAID', 'CANCELED'] as const).some(isActive)).toBe(false)
})

test('a plan that was agreed, came into force and was changed again can be agreed once more', () => {
  const schedule: SubscriptionCommand = {
    type: 'SchedulePlan',
    subscriptionId: about.subscriptionId,
    planId: PLAN,
    at: second(9),
  }
  const scheduled = (n: number): SubscriptionEvent => ({
    type: 'SubscriptionPlanScheduled',
    data: { ...about, planId: PLAN, scheduledAt: second(n) },
  })
  const larger = { planId: USER }
  given(event('SubscriptionCreated', 1, larger), scheduled(2))
    .when(schedule)
    .thenNothing()
  given(
    event('SubscriptionCreated', 1, larger),
    scheduled(2),
    event('SubscriptionUpdated', 3),
    event('SubscriptionUpdated', 4, larger),
  )
    .when(schedule)
    .then(scheduled(9))
})
