import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { PricingEvent } from '../../contracts/events/pricing.ts'
import { priceAt, priceListOf, pricesAt } from '../../domain/pricing/priceBook.ts'
import { type RecordedCharge, recomputedCharge } from '../../domain/pricing/recordedCharge.ts'
import { upcast } from '../../platform/eventStore/eventCodec.ts'

const COMPANY = '0193a1b2-0000-7000-8000-00000000c001'
const eventsIn = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as RecordedEvent[]
const events = eventsIn('v2.pricing.json')

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

test('the golden prices of version 2 keep their rates and the fee for a call', () => {
  expect(priceAt(listOf('pricing-book'), 'acme/fast', '2026-11-16T08:00:09.000Z')).toEqual({
    bookId: '0193a1b2-0000-7000-8000-00000000b082',
    rates: { input: '2500000', cachedInput: '250000', cacheWrite: '3000000', output: '10000000' },
    callMicros: '100',
  })
})

test.each(['v1.json', 'v2.pricing.json', 'v3.pricing.json'])(
  'the charges of %s can be computed from what they record',
  (file) => {
    const charges = eventsIn(file).filter(({ type }) => type === 'CallCharged')
    expect(charges.length).toBeGreaterThan(0)
    for (const event of charges) {
      const charge = upcast(event).data as RecordedCharge
      const { amountMicros, lines } = recomputedCharge(charge)
      expect(amountMicros.toString()).toBe(charge.amountMicros)
      const recorded = charge.lines?.map((line) => ({ ...line, amountMicros: BigInt(line.amountMicros) }))
      expect(recorded ?? lines).toEqual(lines)
    }
  },
)
