import { expect, test } from 'vitest'
import type { CreditPackEvent } from '../../contracts/events/creditPack.ts'
import { streamName } from '../../contracts/streams.ts'
import { PACK, second } from '../../test/support/events/billingEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { applyEvents } from '../projection.ts'
import { creditPacks } from './projection.ts'

const offer = {
  name: 'Starter',
  creditsMicros: '1000000000',
  price: '10',
  currency: 'usd',
  sortOrder: -1,
  validDays: 30,
}
const created: CreditPackEvent = { type: 'CreditPackCreated', data: { packId: PACK, ...offer, createdAt: second(0) } }
const priced: CreditPackEvent = {
  type: 'CreditPackPriced',
  data: { packId: PACK, productId: 'prod_1', priceId: 'price_1', pricedAt: second(1) },
}
const rowsAfter = (...events: CreditPackEvent[]) => [
  ...applyEvents(creditPacks, history(streamName('creditPack', PACK), ...events)).values(),
]

test('a pack is for sale once it has a price at the provider', () => {
  expect(rowsAfter(created)).toEqual([
    {
      packId: PACK,
      name: 'Starter',
      status: 'PENDING',
      creditsMicros: '1000000000',
      price: '10',
      currency: 'usd',
      sortOrder: '-1',
      validDays: '30',
      providerProductId: null,
      providerPriceId: null,
      createdAt: second(0),
      updatedAt: second(0),
    },
  ])
  expect(rowsAfter(created, priced)).toMatchObject([
    { status: 'ACTIVE', providerProductId: 'prod_1', providerPriceId: 'price_1', updatedAt: second(1) },
  ])
})

test('a pack that was never created has no price', () => {
  expect(() => rowsAfter(priced)).toThrow(/never created/)
})

test('a pack has its last name and place, and is not for sale once it is retired, even if its price comes later', () => {
  const updated: CreditPackEvent = {
    type: 'CreditPackUpdated',
    data: { packId: PACK, name: 'First', sortOrder: 5, updatedAt: second(2) },
  }
  const renamed: CreditPackEvent = {
    type: 'CreditPackUpdated',
    data: { packId: PACK, name: 'Second', updatedAt: second(3) },
  }
  const retired: CreditPackEvent = { type: 'CreditPackRetired', data: { packId: PACK, retiredAt: second(4) } }
  expect(rowsAfter(created, priced, updated, renamed)).toMatchObject([
    { name: 'Second', sortOrder: '5', status: 'ACTIVE', updatedAt: second(3) },
  ])
  expect(rowsAfter(created, priced, retired)).toMatchObject([{ status: 'RETIRED', updatedAt: second(4) }])
  expect(rowsAfter(created, retired, priced)).toMatchObject([{ status: 'RETIRED' }])
})
