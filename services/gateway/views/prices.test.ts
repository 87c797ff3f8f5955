import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PricingEvent } from '../../../contracts/events/pricing.ts'
import { pricingStream } from '../../../contracts/streams.ts'
import { priceBooks } from '../../../projections/priceBooks/projection.ts'
import { applyEvents } from '../../../projections/projection.ts'
import { published } from '../../../test/support/events/controlEvents.ts'
import { history } from '../../../test/support/events/history.ts'
import { AT } from '../../../test/support/events/ledgerEvents.ts'
import { PriceView } from './prices.ts'

const ALIAS = 'svc/chat-default'
const company = randomUUID()
const other = randomUUID()
const later = '2026-05-01T00:00:00.000Z'

const common = history(pricingStream(null), published(randomUUID(), AT, '5'))
const own = history(
  pricingStream(company),
  published(randomUUID(), AT, '3', { companyId: company }),
  published(randomUUID(), later, '3', { companyId: company, prices: {}, retired: [ALIAS] }),
)
const rateOf = (view: PriceView, companyId: string, at = AT) => view.priceAt(companyId, ALIAS, at)?.rates.input ?? null

describe("a gateway's view of prices", () => {
  test("are a company's own first, then those of all companies", () => {
    const view = new PriceView()
    expect(rateOf(view, company)).toBeNull()
    for (const event of [...own, ...common]) view.apply(event)
    expect([rateOf(view, company), rateOf(view, other)]).toEqual(['3', '5'])
    expect([rateOf(view, company, later), rateOf(view, other, later)]).toEqual(['5', '5'])
  })

  test("begin with a company's own next price or the common one, whichever is first", () => {
    const view = new PriceView()
    const day = (n: number) => `2026-06-0${n}T00:00:00.000Z`
    view.apply({ ...published(randomUUID(), day(5)), revision: 0 })
    view.apply({ ...published(randomUUID(), day(3), '1', { companyId: company }), revision: 0 })
    view.apply({ ...published(randomUUID(), day(7), '1', { companyId: other }), revision: 0 })
    expect([company, other, randomUUID()].map((id) => view.nextPriceFrom(id, ALIAS, day(1)))).toEqual([
      ...[day(3), day(5), day(5)],
    ])
    expect(view.nextPriceFrom(company, ALIAS, day(7))).toBeNull()
  })

  test('are the same from rows, from events and from both', () => {
    const view = new PriceView()
    const rowsOf = (events: readonly (PricingEvent & { readonly revision: number })[]) => [
      ...applyEvents(priceBooks, events as typeof common).values(),
    ]
    view.seed([...rowsOf(common), ...rowsOf(own)])
    for (const event of own) view.apply(event)
    expect([rateOf(view, company), rateOf(view, other), rateOf(view, company, later)]).toEqual(['3', '5', '5'])
  })

  test('change with a book that arrives after the first read', () => {
    const view = new PriceView()
    for (const event of common) view.apply(event)
    expect(rateOf(view, company)).toBe('5')
    for (const event of own) view.apply(event)
    expect(rateOf(view, company)).toBe('3')
  })
})
