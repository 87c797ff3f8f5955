import { test } from 'vitest'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { AMOUNT_MICROS_MAX } from '../credits.ts'
import { type CreditPackCommand, creditPackDecider } from './decider.ts'

const given = specificationOf(creditPackDecider)

const packId = '77777777-7777-4777-8777-777777777777'
type CreateCreditPack = Extract<CreditPackCommand, { type: 'CreateCreditPack' }>
const create = (changes: Partial<CreateCreditPack> = {}): CreditPackCommand => ({
  type: 'CreateCreditPack',
  packId,
  name: 'Starter pack',
  creditsMicros: 1_000_000_000n,
  price: '10',
  currency: 'usd',
  sortOrder: 1,
  at: '2026-03-01T10:00:00.000Z',
  ...changes,
})
const created = (sortOrder = 1) =>
  ({
    type: 'CreditPackCreated',
    data: {
      packId,
      name: 'Starter pack',
      creditsMicros: '1000000000',
      price: '10',
      currency: 'usd',
      sortOrder,
      validDays: null,
      createdAt: '2026-03-01T10:00:00.000Z',
    },
  }) as const

test('a credit pack is created with its credits as an exact string', () => {
  given().when(create()).then(created())
})

test('a pack that already has its price at the provider is for sale at once', () => {
  const pricing = { productId: `tollgate_pack_${packId}`, priceId: 'price_1' }
  const pricedAt = '2026-03-01T10:00:00.000Z'
  given()
    .when(create({ pricing }))
    .then(created(), { type: 'CreditPackPriced', data: { packId, ...pricing, pricedAt } })
})

test('a pack may be sorted before all others', () => {
  given()
    .when(create({ sortOrder: -1 }))
    .then(created(-1))
})

test('an existing id is refused', () => {
  given(created()).when(create()).thenThrows('CONFLICT')
})

test.each<[string, Partial<CreateCreditPack>, RegExp]>([
  ['no credits', { creditsMicros: 0n }, /credits of a pack must be more than zero/],
  ['less than no credits', { creditsMicros: -1n }, /credits of a pack must be more than zero/],
  ['absurdly many credits', { creditsMicros: AMOUNT_MICROS_MAX + 1n }, /credits of a pack must be at most/],
  ['no name', { name: ' ' }, /name of a credit pack/],
  ['a currency that is no code', { currency: 'USD' }, /currency must be/],
  ['half a place in the order', { sortOrder: 0.5 }, /sortOrder/],
])('a pack with %s is refused', (_, changes, message) => {
  given().when(create(changes)).thenThrows('INVALID', message)
})

test('a pack gets its price at the provider once', () => {
  const pricing = { packId, productId: `tollgate_pack_${packId}`, priceId: 'price_1' }
  const price: CreditPackCommand = { type: 'PriceCreditPack', ...pricing, at: '2026-03-02T10:00:00.000Z' }
  const priced = { type: 'CreditPackPriced', data: { ...pricing, pricedAt: '2026-03-02T10:00:00.000Z' } } as const
  given(created()).when(price).then(priced)
  given(created(), priced)
    .when({ ...price, priceId: 'price_2' })
    .thenNothing()
  given().when(price).thenThrows('NOT_FOUND')
})

const AT = '2026-03-02T10:00:00.000Z'
const pricing = { packId, productId: `tollgate_pack_${packId}`, priceId: 'price_1' }
const priced = { type: 'CreditPackPriced', data: { ...pricing, pricedAt: AT } } as const
const retire: CreditPackCommand = { type: 'RetireCreditPack', packId, at: AT }
const retired = { type: 'CreditPackRetired', data: { packId, retiredAt: AT } } as const

test('a pack is retired once, and gets no price after that; retiring an unknown pack is refused', () => {
  given(created(), priced).when(retire).then(retired)
  given(created()).when(retire).then(retired)
  given(created(), priced, retired).when(retire).thenNothing()
  given(created(), retired)
    .when({ type: 'PriceCreditPack', ...pricing, at: AT })
    .thenNothing()
  given().when(retire).thenThrows('NOT_FOUND')
})

test('a pack is renamed and reordered; unchanged values are not recorded, and invalid ones are refused', () => {
  const update = (changes: { name?: string; sortOrder?: number }): CreditPackCommand => ({
    type: 'UpdateCreditPack',
    packId,
    changes,
    at: AT,
  })
  const updated = (changes: { name?: string; sortOrder?: number }) =>
    ({ type: 'CreditPackUpdated', data: { packId, ...changes, updatedAt: AT } }) as const
  given(created(), priced)
    .when(update({ name: 'First pack', sortOrder: 1 }))
    .then(updated({ name: 'First pack' }))
  given(created(), updated({ name: 'First pack', sortOrder: 2 }))
    .when(update({ name: 'First pack', sortOrder: 2 }))
    .thenNothing()
  given(created())
    .when(update({}))
    .thenThrows('INVALID', /nothing to change/)
  given(created())
    .when(update({ name: '' }))
    .thenThrows('INVALID', /name of a credit pack/)
  given()
    .when(update({ name: 'First pack' }))
    .thenThrows('NOT_FOUND')
})
