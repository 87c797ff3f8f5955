import { expect, test } from 'vitest'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import { anchored } from '../../support/events/ledgerEvents.ts'
import { anchorsWrong } from './anchors.ts'
import type { StoredEvent } from './events.ts'
import { storedStream } from './storedStream.ts'

const company = '11111111-1111-4111-8111-111111111111'
const COMMON = '00000000-0000-4000-8000-000000000000'
const [FIRST, SECOND] = ['1', '2'].map((n) => `${n}3333333-3333-4333-8333-333333333333`) as [string, string]

const book = (companyId: string | null, bookId: string): EventOf<'pricing'> => {
  const { bookCompanyId: _, anchoredAt: __, companyId: ___, ...fields } = anchored(companyId, { bookId }).data
  return { type: 'PriceBookPublished', data: { ...fields, companyId } }
}
const onLedger = (ledger: string, ...events: EventOf<'ledger'>[]): StoredEvent[] =>
  storedStream(`ledger-${ledger}`, ...events).map((event) => ({ ...event, recordedAt: '2026-01-31T12:00:02.000Z' }))
const inOrder = [FIRST, SECOND].map((bookId) => anchored(null, { bookId }))
const published = [
  ...storedStream('pricing-common', book(null, FIRST), book(null, SECOND)),
  ...storedStream(`pricing-${company}`, book(company, FIRST)),
].map((event) => ({ ...event, recordedAt: '2026-01-31T12:00:00.000Z' }))
const own = onLedger(company, anchored(company, { bookId: FIRST }))

test('books that are anchored once and in their order are right', () => {
  expect(anchorsWrong([...published, ...onLedger(COMMON, ...inOrder), ...own])).toBeNull()
})

test.each<[string, StoredEvent[], RegExp]>([
  [
    'twice',
    [...onLedger(COMMON, ...inOrder, anchored(null, { bookId: SECOND })), ...own],
    /as number 2, and not undefined/,
  ],
  ['in another order', [...onLedger(COMMON, ...inOrder.toReversed()), ...own], /as number 0, and not 1333/],
  ['not at all', [...onLedger(COMMON, ...inOrder.slice(0, 1)), ...own], /book 2333.* is not on ledger-0000/],
  ['on the ledger of all', onLedger(COMMON, ...inOrder, anchored(company, { bookId: FIRST })), /as number 2/],
  [
    'with other prices',
    [...onLedger(COMMON, ...inOrder), ...onLedger(company, anchored(company, { bookId: FIRST, prices: {} }))],
    /another prices/,
  ],
  [
    'with another start',
    [
      ...onLedger(COMMON, ...inOrder),
      ...onLedger(company, anchored(company, { bookId: FIRST, effectiveFrom: '2030-01-01T00:00:00.000Z' })),
    ],
    /another start/,
  ],
])('a book that is anchored %s is found', (_, events, message) => {
  expect(anchorsWrong([...published, ...events])).toMatch(message)
})
