import { expect, test } from 'vitest'
import type { InvoiceEvent } from '../../../contracts/events/invoice.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { MonthReplay } from '../../../domain/postpaid/monthReplay.ts'
import { charged, granted, invoiceSettled, monthClosed, reversed } from '../../support/events/ledgerEvents.ts'
import type { StoredEvent } from './events.ts'
import { draftsWrong, monthsWrong } from './invoices.ts'
import { storedStream } from './storedStream.ts'

const COMPANY = '11111111-1111-4111-8111-111111111111'
const expensive = { tokensIn: 10_000_000, tokensOut: 0, amountMicros: '10000000' }
const first = charged(COMPANY, expensive)

/** The bill that the product writes for the close at the end of these events. */
function billed(...events: readonly LedgerEvent[]): LedgerEvent {
  const replay = new MonthReplay()
  for (const [revision, event] of events.entries()) replay.add({ ...event, revision })
  const bill = replay.months.at(-1)?.bill
  if (!bill) throw new Error('no month is closed')
  return { type: 'MonthBilled', data: { ...bill, billedAt: '2026-04-01T00:00:02.000Z' } }
}

function twoMonths(): LedgerEvent[] {
  const march = [granted(COMPANY), first, charged(COMPANY, { ...expensive, alias: 'acme/fast' }), monthClosed(COMPANY)]
  const april = [
    ...[billed(...march), charged(COMPANY, expensive), reversed(first)],
    ...[charged(COMPANY, { tokensIn: 4, tokensOut: 1 }), monthClosed(COMPANY, { month: '2026-04' })],
  ]
  return [...march, ...april, billed(...march, ...april)]
}

const stored = (events: readonly LedgerEvent[]) => storedStream(`ledger-${COMPANY}`, ...events)
type Bill = Extract<LedgerEvent, { type: 'MonthBilled' }>

function withBill(change: (data: Bill['data']) => Bill['data']): StoredEvent[] {
  return stored(
    twoMonths().map((event) => (event.type === 'MonthBilled' ? { ...event, data: change(event.data) } : event)),
  )
}

test('the bills of the product are right', () => {
  expect(monthsWrong(stored(twoMonths()))).toBeNull()
})

test.for<[string, StoredEvent[], string]>([
  ['a month that is not billed', stored(twoMonths().slice(0, -1)), '2 months are closed and 1 billed'],
  ['another amount of credits', withBill((data) => ({ ...data, creditsMicros: '1' })), 'creditsMicros is 1'],
  ['another amount of money', withBill((data) => ({ ...data, amountMinor: '1' })), 'amountMinor is 1'],
  ['a range that leaves entries out', withBill((data) => ({ ...data, afterRevision: 0 })), 'for revisions after 0'],
  ['an opening that was not carried', withBill((data) => ({ ...data, openingMicros: '7' })), 'opens with 7'],
  ['a line that is missing', withBill((data) => ({ ...data, lines: data.lines.slice(1) })), 'the lines add up to'],
  [
    'a line of other calls',
    withBill((data) => ({ ...data, lines: data.lines.map((line) => ({ ...line, calls: 9 })) })),
    'has calls 9',
  ],
  [
    'a month that is closed twice',
    stored([...twoMonths(), monthClosed(COMPANY, { month: '2026-04' }), ...twoMonths().slice(-1)]),
    'is closed after',
  ],
  [
    'a month that is closed before it ends',
    stored(twoMonths()).map((event) => ({ ...event, recordedAt: '2026-03-31T23:59:59.999Z' })),
    'was closed at',
  ],
  ['a settlement of another amount', stored([...twoMonths(), invoiceSettled(COMPANY)]), 'is settled with'],
])('%s is found', ([, events, message]) => {
  expect(monthsWrong(events)).toContain(message)
})

test('a month has one invoice with the lines of its bill', () => {
  const events = stored(twoMonths().slice(0, 5))
  const bill = twoMonths()[4] as Bill
  const draft: InvoiceEvent = {
    type: 'UsageInvoiceDrafted',
    data: {
      ...{ invoiceId: 'in_1', companyId: COMPANY, month: bill.data.month },
      ...{ creditsMicros: bill.data.creditsMicros, lines: bill.data.lines, draftedAt: '2026-04-01T00:00:03.000Z' },
    },
  }
  const drafted = (...drafts: InvoiceEvent[]) => [
    ...events,
    ...drafts.flatMap((one) => storedStream('invoice-in_1', one)),
  ]
  expect(draftsWrong(drafted(draft))).toBeNull()
  expect(draftsWrong(drafted())).toContain('has 0 invoices')
  expect(draftsWrong(drafted(draft, draft))).toContain('has 2 invoices')
  expect(draftsWrong(drafted({ ...draft, data: { ...draft.data, lines: [] } }))).toContain('other lines')
  expect(draftsWrong(drafted(draft).slice(5))).toContain('was not billed')
})
