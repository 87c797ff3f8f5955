import { describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { Position } from '../../../contracts/position.ts'
import { booksIn, callEnds, ledgerLines, type PublishedBook, priceAt, startOfBook } from './callLedger.ts'

const PRICE = { rates: { input: '2000000', output: '6000000' } }

let position = 0
function stored(stream: string, type: string, data: object, id = `event-${position}`): RecordedEvent {
  position += 1
  const metadata = {
    schemaVersion: 1,
    correlationId: '',
    causationId: '',
    actor: { kind: 'system', name: '' },
  } as const
  const place = { stream, revision: 0, position: String(position) as Position, recordedAt: '' }
  return { id, type, data: data as RecordedEvent['data'], metadata, ...place }
}

test('a book begins when it was decided to, unless it was stored late and changes a price', () => {
  const at = (seconds: number) => new Date(1_000 * seconds).toISOString()
  const book = { effectiveFrom: at(5), publishedAt: at(0) }
  expect(startOfBook(book, at(0.5))).toBe(at(5))
  expect(startOfBook(book, at(3))).toBe(at(7.5))
  expect(startOfBook({ ...book, effectiveFrom: at(0) }, at(3))).toBe(at(0))
})

describe('the price in force', () => {
  const book = (bookId: string, changes: Partial<PublishedBook> = {}): PublishedBook => {
    return {
      bookId,
      companyId: null,
      effectiveFrom: '2026-01-01',
      prices: { a: PRICE },
      retired: [],
      ...changes,
    }
  }

  test('is that of the book that began last', () => {
    const books = [book('late', { effectiveFrom: '2026-01-02' }), book('early')]
    expect(priceAt(books, 'company', 'a', '2026-01-03')?.bookId).toBe('late')
    expect(priceAt(books, 'company', 'a', '2026-01-01')?.bookId).toBe('early')
  })

  test('is that of the book that was published later, for the same moment', () => {
    expect(priceAt([book('first'), book('second')], 'company', 'a', '2026-01-03')?.bookId).toBe('second')
  })

  test('is that of the company itself before the common one', () => {
    const books = [book('own', { companyId: 'company' }), book('common', { effectiveFrom: '2026-01-02' })]
    expect(priceAt(books, 'company', 'a', '2026-01-03')?.bookId).toBe('own')
    expect(priceAt(books, 'another', 'a', '2026-01-03')?.bookId).toBe('common')
  })

  test('is the common one again after the company retires its own', () => {
    const retiring = { companyId: 'company', effectiveFrom: '2026-01-02', prices: {}, retired: ['a'] }
    const books = [book('own', { companyId: 'company' }), book('common'), book('retiring', retiring)]
    expect(priceAt(books, 'company', 'a', '2026-01-03')?.bookId).toBe('common')
  })

  test('does not exist for an alias without a price', () => {
    expect(priceAt([book('one')], 'company', 'b', '2026-01-03')).toBeNull()
  })
})

describe('the events of ledgers', () => {
  test('count once each, and only those of ledgers', () => {
    const grant = stored('ledger-one', 'CreditsGranted', { amountMicros: '5' }, 'grant')
    const charge = stored('ledger-one', 'CallCharged', { amountMicros: '3', callId: 'call' }, 'call')
    const reversal = stored('ledger-one', 'ChargeReversed', { amountMicros: '3', callId: 'call' })
    const lines = ledgerLines([grant, charge, charge, stored('company-one', 'CompanyRegistered', {}), reversal])
    expect(lines.map(({ changeMicros }) => changeMicros)).toEqual([5n, -3n, 3n])
    expect(callEnds(lines).get('call')).toMatchObject({ charge: { amountMicros: '3' }, failures: 0, reversals: 1 })
  })

  test('with the id of a failed call are no charge', () => {
    const failure = stored('ledger-one', 'CallFailed', { callId: 'call' }, 'call')
    const late = stored('ledger-one', 'CallCharged', { amountMicros: '3', callId: 'call' }, 'call')
    expect(callEnds(ledgerLines([failure, late])).get('call')).toEqual({ charge: null, failures: 1, reversals: 0 })
  })

  test('name each price book once', () => {
    const published = stored('pricing-book', 'PriceBookPublished', { bookId: 'book' })
    expect(booksIn([published, published])).toHaveLength(1)
  })
})
