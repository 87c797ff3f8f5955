import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import {
  adjusted,
  charged,
  failed,
  granted,
  invoiceSettled,
  monthClosed,
  refunded,
  reversed,
  TERMS,
} from '../../test/support/events/ledgerEvents.ts'
import { balanceMicros } from '../ledger/balance.ts'
import { evolve, ledgerDecider } from '../ledger/decider.ts'
import { monthAfter } from './month.ts'
import { billDifference, MonthReplay } from './monthReplay.ts'

const COMPANY = '11111111-1111-4111-8111-111111111111'

type Step =
  | { readonly kind: 'charge' | 'grant' | 'refund'; readonly micros: bigint; readonly alias: string }
  | { readonly kind: 'reverse'; readonly which: number }
  | { readonly kind: 'adjust'; readonly micros: bigint }
  | { readonly kind: 'fail' | 'close' }
  | { readonly kind: 'settle'; readonly which: number }
  | { readonly kind: 'plan'; readonly price: string; readonly currency: string; readonly credits: bigint }

const micros = fc.oneof(fc.bigInt({ min: 1n, max: 300n }), fc.bigInt({ min: 1n, max: 10n ** 12n }))
const alias = fc.constantFrom('svc/chat-default', 'svc/chat-cheap', 'acme/fast')
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('charge' as const), micros, alias }), weight: 6 },
  fc.record({ kind: fc.constantFrom('grant' as const, 'refund' as const), micros, alias }),
  fc.record({
    kind: fc.constant('adjust' as const),
    micros: fc.oneof(
      micros,
      micros.map((amount) => -amount),
    ),
  }),
  { arbitrary: fc.record({ kind: fc.constant('reverse' as const), which: fc.nat(9) }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constantFrom('fail' as const, 'close' as const) }), weight: 3 },
  { arbitrary: fc.record({ kind: fc.constant('settle' as const), which: fc.nat(5) }), weight: 2 },
  fc.record({
    kind: fc.constant('plan' as const),
    price: fc.constantFrom('0', '1', '49', '12345'),
    currency: fc.constantFrom('usd', 'jpy', 'kwd', 'isk'),
    credits: fc.bigInt({ min: 1n, max: 10n ** 10n }),
  }),
)

type World = { readonly ledger: (LedgerEvent & { revision: number })[]; readonly replay: MonthReplay }

/** Carries out the steps like the reactor: each close is billed and each bill settled at most once. */
function played(steps: readonly Step[]): World {
  const ledger: (LedgerEvent & { revision: number })[] = []
  const replay = new MonthReplay()
  let month = '2026-01'
  let terms = TERMS
  const reversedCalls = new Set<string>()
  const write = (event: LedgerEvent) => {
    const placed = { ...event, revision: ledger.length }
    ledger.push(placed)
    replay.add(placed)
  }
  for (const one of steps) {
    switch (one.kind) {
      case 'charge':
        write(charged(COMPANY, { amountMicros: String(one.micros), alias: one.alias }))
        break
      case 'grant':
        write(granted(COMPANY, { amountMicros: String(one.micros) }))
        break
      case 'refund':
        write(refunded(COMPANY, { amountMicros: String(one.micros) }))
        break
      case 'adjust':
        write(adjusted(COMPANY, { amountMicros: String(one.micros) }))
        break
      case 'fail':
        write(failed(COMPANY))
        break
      case 'reverse': {
        const charges = ledger.filter((event) => event.type === 'CallCharged')
        const charge = charges[one.which]
        if (!charge || reversedCalls.has(charge.data.callId)) break
        reversedCalls.add(charge.data.callId)
        write(reversed(charge))
        break
      }
      case 'plan':
        terms = { ...terms, price: one.price, currency: one.currency, creditsPerPeriodMicros: String(one.credits) }
        break
      case 'close': {
        write(monthClosed(COMPANY, { month, terms }))
        month = monthAfter(month)
        const bill = replay.months.at(-1)?.bill
        if (bill) write({ type: 'MonthBilled', data: { ...bill, billedAt: '2026-04-01T00:00:02.000Z' } })
        break
      }
      case 'settle': {
        const due = replay.months[one.which]
        if (!due || due.settled || due.bill.creditsMicros === '0') break
        write(invoiceSettled(COMPANY, { month: due.month, amountMicros: due.bill.creditsMicros }))
        break
      }
    }
  }
  return { ledger, replay }
}

const sum = (amounts: readonly string[]) => amounts.reduce((total, one) => total + BigInt(one), 0n)
const holds = (check: (world: World) => void) =>
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50, size: 'max' }), (steps) => check(played(steps))),
    { numRuns: propertyRuns({ few: 300, many: 1_200 }) },
  )

describe('for any ledger with closes, reversals, settlements and changes of plan', () => {
  test('each entry up to the last close lies in exactly one range', () => {
    holds(({ ledger, replay }) => {
      const ranges = replay.months.map(({ bill }) => bill)
      const last = ranges.at(-1)?.closeRevision ?? -1
      for (const { revision } of ledger) {
        const around = ranges.filter((one) => one.afterRevision < revision && revision <= one.closeRevision)
        expect(around).toHaveLength(revision <= last ? 1 : 0)
      }
    })
  })

  test('the lines about aliases add up to the charges of their range less its reversals', () => {
    holds(({ ledger, replay }) => {
      for (const { bill } of replay.months) {
        const inside = ledger.filter(({ revision }) => revision > bill.afterRevision && revision <= bill.closeRevision)
        const charges = inside.flatMap((event) => (event.type === 'CallCharged' ? [event.data.amountMicros] : []))
        const reversals = inside.flatMap((event) => (event.type === 'ChargeReversed' ? [event.data.amountMicros] : []))
        const usage = bill.lines.filter(({ kind }) => kind === 'USAGE')
        expect(sum(usage.map(({ creditsMicros }) => creditsMicros))).toBe(sum(charges) - sum(reversals))
        expect(usage.reduce((calls, line) => calls + line.calls, 0)).toBe(charges.length - reversals.length)
      }
    })
  })

  test('all lines of an invoice add up to its credits and its amount', () => {
    holds(({ replay }) => {
      for (const { bill } of replay.months) {
        const credits = sum(bill.lines.map(({ creditsMicros }) => creditsMicros))
        expect(sum(bill.lines.map(({ amountMinor }) => amountMinor))).toBe(BigInt(bill.amountMinor))
        expect(credits).toBe(BigInt(bill.creditsMicros) - BigInt(bill.carriedMicros))
        if (bill.creditsMicros !== '0') expect(bill.carriedMicros).toBe('0')
      }
    })
  })

  test('the balance is what was carried over and used since, less unsettled invoices', () => {
    holds(({ ledger, replay }) => {
      const last = replay.months.at(-1)
      const upTo = last?.bill.closeRevision ?? -1
      let state = ledgerDecider.initialState()
      for (const event of ledger) {
        // Entries after the last close are not invoiced yet; a settlement refers to an earlier one.
        if (event.revision <= upTo || event.type === 'InvoiceSettled') state = evolve(state, event)
      }
      const unsettled = replay.months.filter(({ settled }) => settled === null).map(({ bill }) => bill.creditsMicros)
      expect(balanceMicros(state)).toBe(BigInt(last?.bill.carriedMicros ?? '0') - sum(unsettled))
    })
  })

  test('a recorded bill equals what its range gives, and any other amount is noticed', () => {
    holds(({ replay }) => {
      for (const { bill, recorded } of replay.months) {
        if (!recorded) throw new Error('it was not recorded')
        expect(billDifference(bill, recorded)).toBeNull()
        expect(billDifference(bill, { ...recorded, amountMinor: `${recorded.amountMinor}1` })).toBe('amountMinor')
      }
    })
  })
})

const billOf = (...events: LedgerEvent[]) => {
  const replay = new MonthReplay()
  for (const [revision, event] of [...events, monthClosed(COMPANY)].entries()) replay.add({ ...event, revision })
  return replay.months.at(-1)?.bill
}

describe('the bill of a month', () => {
  const price = { price: '49', creditsPerPeriodMicros: '5000000000' }

  test('has a line for each alias, with calls, tokens and credits, at the price of the plan divided by its credits', () => {
    expect(price).toMatchObject({ price: TERMS.price, creditsPerPeriodMicros: TERMS.creditsPerPeriodMicros })
    const bill = billOf(
      charged(COMPANY, { amountMicros: '1000000000', alias: 'a' }),
      charged(COMPANY, { amountMicros: '500000000', alias: 'b' }),
      charged(COMPANY, { amountMicros: '1000000000', alias: 'a' }),
    )
    const tokens = { kind: 'USAGE', tokensIn: 20, tokensOut: 40 }
    expect(bill).toMatchObject({
      creditsMicros: '2500000000',
      amountMinor: '2450',
      carriedMicros: '0',
      lines: [
        { ...tokens, alias: 'a', calls: 2, creditsMicros: '2000000000', amountMinor: '1960' },
        { kind: 'USAGE', alias: 'b', calls: 1, creditsMicros: '500000000', amountMinor: '490' },
      ],
    })
  })

  test('uses prepaid credits first', () => {
    const grant = granted(COMPANY, { amountMicros: '1000000000' })
    const bill = billOf(grant, charged(COMPANY, { amountMicros: '1500000000' }))
    expect(bill).toMatchObject({
      creditsMicros: '500000000',
      amountMinor: '490',
      lines: [{ amountMinor: '1470' }, { kind: 'PREPAID', creditsMicros: '-1000000000', amountMinor: '-980' }],
    })
    const more = billOf(grant, charged(COMPANY, { amountMicros: '400000000' }))
    expect(more).toMatchObject({ creditsMicros: '0', amountMinor: '0', carriedMicros: '600000000' })
  })

  test('carries over what is below the smallest amount of money, and nothing of a month without calls', () => {
    expect(billOf(charged(COMPANY, { amountMicros: '1000' }))).toMatchObject({
      amountMinor: '0',
      carriedMicros: '-1000',
    })
    expect(billOf()).toMatchObject({ lines: [], creditsMicros: '0', amountMinor: '0', carriedMicros: '0' })
  })

  test('has at most 200 lines about aliases', () => {
    const calls = Array.from({ length: 250 }, (_, n) => charged(COMPANY, { amountMicros: '1000000', alias: `a${n}` }))
    const bill = billOf(...calls)
    expect(bill?.lines).toHaveLength(200)
    expect(bill?.lines.at(-1)).toMatchObject({ alias: null, calls: 51, creditsMicros: '51000000' })
    expect(bill?.creditsMicros).toBe('250000000')
  })
})
