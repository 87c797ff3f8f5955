import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import type { PricingEvent } from '../../contracts/events/pricing.ts'
import { chargeMicros } from '../../domain/pricing/charge.ts'
import { priceListOf, pricesAt } from '../../domain/pricing/priceBook.ts'
import { upcast } from '../../platform/eventStore/eventCodec.ts'

const COMPANY = '0193a1b2-0000-7000-8000-00000000c001'
const events = JSON.parse(readFileSync(new URL('v2.pricing.json', import.meta.url), 'utf8')) as RecordedEvent[]

const listOf = (stream: string) =>
  priceListOf(
    events
      .filter((event) => event.stream === stream)
      .map((event) => ({ ...(upcast(event).data as PricingEvent['data']), revision: event.revision })),
  )
const booksAt = (second: number, ...streams: string[]) => {
  const at = `2026-11-16T08:00:${String(second).padStart(2, '0')}.000Z`
  const prices = [...pricesAt(streams.map(listOf), at)]
  return Object.fromEntries(prices.map(([alias, { bookId }]) => [alias, bookId.slice(-2)]))
}

test('the golden price books of both versions set the prices that they set at their release', () => {
  expect(booksAt(1, 'pricing-book')).toEqual({ 'svc/chat-default': '81', 'svc/chat-cheap': '81' })
  expect(booksAt(2, 'pricing-book')).toEqual({ 'svc/chat-default': '81', 'acme/fast': '82' })
  const ofCompany = [`pricing-${COMPANY}`, 'pricing-book']
  expect(booksAt(8, ...ofCompany)).toEqual({ 'svc/chat-default': '81', 'acme/fast': '82' })
  expect(booksAt(9, ...ofCompany)).toEqual({ 'svc/chat-default': '83', 'acme/fast': '82' })
})

test('the golden charge can be computed from what it records', () => {
  const charge = events.find(({ type }) => type === 'CallCharged')?.data as unknown as Extract<
    LedgerEvent,
    { type: 'CallCharged' }
  >['data']
  expect(chargeMicros(charge.price, charge).toString()).toBe(charge.amountMicros)
})
