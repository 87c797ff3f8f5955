import { test } from 'vitest'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { AMOUNT_MICROS_MAX } from '../credits.ts'
import { type PlanCommand, planDecider } from './decider.ts'

const given = specificationOf(planDecider)

const planId = '66666666-6666-4666-8666-666666666666'
type CreatePlan = Extract<PlanCommand, { type: 'CreatePlan' }>
const create = (changes: Partial<CreatePlan> = {}): PlanCommand => ({
  type: 'CreatePlan',
  planId,
  name: 'Team',
  billingMode: 'PREPAID',
  price: '49',
  currency: 'usd',
  creditsPerPeriodMicros: 5_000_000_000n,
  at: '2026-03-01T10:00:00.000Z',
  ...changes,
})
const created = (creditsPerPeriodMicros = '5000000000') =>
  ({
    type: 'PlanCreated',
    data: {
      planId,
      name: 'Team',
      billingMode: 'PREPAID',
      price: '49',
      currency: 'usd',
      creditsPerPeriodMicros,
      dueDays: 14,
      rolloverShare: null,
      createdAt: '2026-03-01T10:00:00.000Z',
    },
  }) as const

test('a plan is created with its credits as an exact string', () => {
  given().when(create()).then(created())
})

test('a plan says within how many days its invoices are due', () => {
  given()
    .when(create({ dueDays: 30 }))
    .then({ ...created(), data: { ...created().data, dueDays: 30 } })
  for (const dueDays of [0, 366, 1.5, Number.NaN]) {
    given()
      .when(create({ dueDays }))
      .thenThrows('INVALID', /dueDays must be a whole number from 1 to 365/)
  }
})

test('a plan may grant the smallest and the largest amount', () => {
  given()
    .when(create({ creditsPerPeriodMicros: 1n }))
    .then(created('1'))
  given()
    .when(create({ creditsPerPeriodMicros: AMOUNT_MICROS_MAX }))
    .then(created('1000000000000000000'))
})

test('an existing id is refused', () => {
  given(created()).when(create()).thenThrows('CONFLICT')
})

test.each<[string, Partial<CreatePlan>, RegExp]>([
  ['no credits', { creditsPerPeriodMicros: 0n }, /credits of a plan must be more than zero/],
  ['absurdly many credits', { creditsPerPeriodMicros: AMOUNT_MICROS_MAX + 1n }, /at most 1000000000000/],
  ['no name', { name: '' }, /name of a plan/],
  ['a price that is no decimal', { price: '-1' }, /price must be a decimal/],
  ['more decimals than the currency has', { price: '49.5', currency: 'jpy' }, /more decimals than jpy/],
])('a plan with %s is refused', (_, changes, message) => {
  given().when(create(changes)).thenThrows('INVALID', message)
})

const pricing = { planId, productId: `tollgate_plan_${planId}`, priceId: 'price_1' }
const price: PlanCommand = { type: 'PricePlan', ...pricing, at: '2026-03-02T10:00:00.000Z' }
const priced = { type: 'PlanPriced', data: { ...pricing, pricedAt: '2026-03-02T10:00:00.000Z' } } as const
const retired = { type: 'PlanRetired', data: { planId, retiredAt: '2026-03-02T10:00:00.000Z' } } as const

test('a plan gets its price at the provider once', () => {
  given(created()).when(price).then(priced)
  given(created(), priced)
    .when({ ...price, priceId: 'price_2' })
    .thenNothing()
})

test('a retired plan gets no price at the provider', () => {
  given(created(), retired).when(price).thenNothing()
})

test('a POSTPAID plan gets no price at the provider', () => {
  const postpaid = { ...created(), data: { ...created().data, billingMode: 'POSTPAID' } } as const
  given(postpaid)
    .when(price)
    .thenThrows('INVALID', /POSTPAID/)
})

test('a plan is retired once; retiring an unknown plan is refused', () => {
  const retire: PlanCommand = { type: 'RetirePlan', planId, at: '2026-03-02T10:00:00.000Z' }
  given(created()).when(retire).then(retired)
  given(created(), retired).when(retire).thenNothing()
  given().when(retire).thenThrows('NOT_FOUND')
  given().when(price).thenThrows('NOT_FOUND')
})

const update = (changes: { name?: string; sortOrder?: number }): PlanCommand => ({
  type: 'UpdatePlan',
  planId,
  changes,
  at: '2026-03-02T10:00:00.000Z',
})
const updated = (changes: { name?: string; sortOrder?: number }) =>
  ({ type: 'PlanUpdated', data: { planId, ...changes, updatedAt: '2026-03-02T10:00:00.000Z' } }) as const

test('a plan is renamed and reordered, even a retired one; unchanged values are not recorded', () => {
  given(created())
    .when(update({ name: 'Crew', sortOrder: 3 }))
    .then(updated({ name: 'Crew', sortOrder: 3 }))
  given(created(), retired)
    .when(update({ name: 'Crew', sortOrder: 0 }))
    .then(updated({ name: 'Crew' }))
  given(created(), updated({ name: 'Crew' }))
    .when(update({ name: 'Crew' }))
    .thenNothing()
  given(created(), updated({ sortOrder: 3 }))
    .when(update({ sortOrder: 0 }))
    .then(updated({ sortOrder: 0 }))
})

test('a plan change without a difference, to an invalid value, or of an unknown plan is refused', () => {
  given(created())
    .when(update({}))
    .thenThrows('INVALID', /nothing to change/)
  given(created())
    .when(update({ name: ' ' }))
    .thenThrows('INVALID', /name of a plan/)
  given(created())
    .when(update({ sortOrder: 1.5 }))
    .thenThrows('INVALID', /whole number/)
  given()
    .when(update({ name: 'Crew' }))
    .thenThrows('NOT_FOUND')
})

test('a plan may be created with a place among the plans', () => {
  const placed = { ...updated({ sortOrder: 7 }), data: { planId, sortOrder: 7, updatedAt: '2026-03-01T10:00:00.000Z' } }
  given()
    .when(create({ sortOrder: 7 }))
    .then(created(), placed)
  given()
    .when(create({ sortOrder: 0.5 }))
    .thenThrows('INVALID', /whole number/)
})
