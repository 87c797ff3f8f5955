import { expect, test } from 'vitest'
import { COMMON_LEDGER_ID, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { anchored, charged, granted } from '../../test/support/events/ledgerEvents.ts'
import { fold } from '../decider.ts'
import { statementLine } from '../statement/line.ts'
import { balanceMicros } from './balance.ts'
import { ledgerDecider, ledgerEventKey, occurredAt } from './decider.ts'

const given = specificationOf(ledgerDecider)
const companyId = '11111111-1111-4111-8111-111111111111'
const bookId = '22222222-2222-4222-8222-222222222222'
const at = '2026-03-01T10:00:06.000Z'

const book = {
  bookId,
  companyId: null,
  effectiveFrom: '2026-03-01T10:00:05.000Z',
  prices: { 'svc/chat-default': { rates: { input: '3000000', output: '15000000' }, callMicros: '5' } },
  retired: ['svc/chat-old'],
  replacesAll: false,
  publishedAt: '2026-03-01T10:00:00.000Z',
}
const anchorOf = (bookCompanyId: string | null, ledger: string): LedgerEvent => ({
  type: 'PriceBookAnchored',
  data: { ...book, companyId: ledger, bookCompanyId, anchoredAt: at },
})

test('a book of all companies is anchored on the common ledger with everything that it says', () => {
  given().when({ type: 'AnchorPriceBook', book, at }).then(anchorOf(null, COMMON_LEDGER_ID))
})

test('the book of a company is anchored on its own ledger', () => {
  given()
    .when({ type: 'AnchorPriceBook', book: { ...book, companyId }, at })
    .then(anchorOf(companyId, companyId))
})

test('an anchor changes no balance', () => {
  const events = [granted(companyId), charged(companyId)]
  const sums = (...more: LedgerEvent[]) => fold(ledgerDecider, [...events, ...more])
  expect(sums(anchored(companyId))).toEqual(sums())
  expect(balanceMicros(sums(anchored(companyId)))).toBe(balanceMicros(sums()))
})

test('an anchor has the key of its book and the time at which it was made', () => {
  const anchor = anchorOf(null, COMMON_LEDGER_ID)
  expect([ledgerEventKey(anchor), occurredAt(anchor)]).toEqual([`anchor:${bookId}`, at])
})

test('a statement shows an anchor as PRICES without an amount', () => {
  const line = statementLine(anchorOf(companyId, companyId), { number: 3, id: 'id', time: at, balanceMicros: 7n })
  expect(line).toEqual({
    ...{ number: 3, id: 'id', time: at, type: 'PRICES', deltaMicros: 0n, balanceMicros: 7n },
    ...{ call: null, description: `price book ${bookId}` },
  })
})
