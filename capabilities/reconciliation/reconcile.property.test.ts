import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Booking, Payment, Reference } from '../../domain/reconciliation/match.ts'
import { creditsTakenBack } from '../../domain/refund.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import type { Entry, Sources } from './port.ts'
import { reconcile } from './reconcile.ts'

const NOT_CORRECTED = { correctedMicros: 0n, waivedMicros: 0n, disputes: [], withdrawnMicros: 0n }

const MONTH = '2026-10'
const DAY_MS = 86_400_000
const START = Date.parse('2026-10-01T00:00:00.000Z')
const END = Date.parse('2026-11-01T00:00:00.000Z')
const COMPANY = '0193a1b2-0000-7000-8000-00000000c001'

/** A sale of any size near or within the month, often at its boundaries, with a partial refund or none. */
const sale = fc.record({
  paidMs: fc.oneof(
    fc.integer({ min: START - 3 * DAY_MS, max: END + 3 * DAY_MS }),
    fc.integer({ min: START - 3_000, max: START + 3_000 }),
    fc.integer({ min: END - 3_000, max: END + 3_000 }),
  ),
  /** A payment event is accurate to the second; an answer may come days later. */
  grantLagMs: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 5 * DAY_MS })),
  amountMinor: fc.bigInt({ min: 1n, max: 10n ** 12n }),
  creditsMicros: fc.bigInt({ min: 1n, max: 10n ** 18n }),
  refundedPermille: fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: null }),
  refundLagMs: fc.integer({ min: 0, max: 20 * DAY_MS }),
  isInvoice: fc.boolean(),
})
type Sale = typeof sale extends fc.Arbitrary<infer One> ? One : never

type Side = { payments: Payment[]; refunds: { at: string; amountMinor: bigint; reference: Reference }[] }
type World = { provider: Side; bookings: Map<Reference, Booking>; entries: Entry[] }

const second = (ms: number) => Math.floor(ms / 1_000) * 1_000

function worldOf(sales: readonly Sale[]): World {
  const world: World = { provider: { payments: [], refunds: [] }, bookings: new Map(), entries: [] }
  for (const [n, one] of sales.entries()) {
    const reference: Reference = one.isInvoice ? `invoice in_${n}` : `purchase ${n}`
    const paidMs = second(one.paidMs)
    const { amountMinor, creditsMicros, refundedPermille } = one
    const refunded = refundedPermille === null ? 0n : (amountMinor * BigInt(refundedPermille) + 999n) / 1_000n
    const refund = refunded === 0n ? null : { chargedMinor: String(amountMinor), refundedMinor: String(refunded) }
    const takenBackMicros = refund ? creditsTakenBack(creditsMicros, refund) : 0n
    const booked = { kind: 'grant', micros: creditsMicros, at: isoTime(second(paidMs + one.grantLagMs)) } as const
    const money = { amountMinor, currency: 'usd' }
    const about = { reference, companyId: COMPANY }
    world.provider.payments.push({
      chargeId: `ch_${n}`,
      at: isoTime(paidMs),
      ...money,
      refundedMinor: refunded,
      ...about,
    })
    world.bookings.set(reference, {
      ...about,
      paid: money,
      dueMicros: creditsMicros,
      booked,
      refund,
      takenBackMicros,
      ...NOT_CORRECTED,
    })
    world.entries.push({
      kind: 'grant',
      companyId: COMPANY,
      micros: creditsMicros,
      at: booked.at,
      reason: reference,
      reference,
    })
    if (!refund) continue
    const refundedAt = isoTime(second(paidMs + one.refundLagMs))
    world.provider.refunds.push({ at: refundedAt, amountMinor: refunded, reference })
    if (takenBackMicros === 0n) continue
    const reason = `refund of ${reference}`
    world.entries.push({
      kind: 'refund',
      companyId: COMPANY,
      micros: takenBackMicros,
      at: refundedAt,
      reason,
      reference,
    })
  }
  return world
}

function sourcesOf({ provider, bookings, entries }: World): Sources {
  const between = <One extends { readonly at: string }>(all: readonly One[], from: string, to: string) =>
    all.filter(({ at }) => at >= from && at < to)
  async function* pages<One>(all: readonly One[]): AsyncIterable<readonly One[]> {
    for (let n = 0; n < all.length; n += 2) yield all.slice(n, n + 2)
  }
  const paymentFor = (reference: Reference) => provider.payments.find((one) => one.reference === reference) ?? null
  return {
    payments: (from, to) => pages(between(provider.payments, from, to)),
    refunds: (from, to) =>
      pages(
        between(provider.refunds, from, to).flatMap(({ at, amountMinor, reference }) => {
          const payment = paymentFor(reference)
          return payment ? [{ refundId: `re ${reference} ${at}`, amountMinor, currency: 'usd', payment }] : []
        }),
      ),
    lookUp: async (reference) => ({ payment: paymentFor(reference) }),
    bookings: async (references) =>
      new Map(references.flatMap((one) => (bookings.has(one) ? [[one, bookings.get(one) as Booking]] : []))),
    entries: (from, to) => pages(between(entries, from, to)),
  }
}

const isInMonth = (at: string) => at.startsWith(MONTH)
const RUNS = { numRuns: propertyRuns({ few: 100, many: 500 }) }
const SALES = fc.array(sale, { maxLength: 12 })

test('two sides that agree have no difference, whenever payments and grants were made', async () => {
  await fc.assert(
    fc.asyncProperty(SALES, async (sales) => {
      const world = worldOf(sales)
      const { differences, explained, totals } = await reconcile(sourcesOf(world), MONTH)
      expect(differences).toEqual([])
      expect(explained.every(({ kind }) => kind === 'OTHER_MONTH')).toBe(true)
      const paid = world.provider.payments.filter(({ at }) => isInMonth(at))
      expect(totals.payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)).toBe(
        paid.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
      )
      const granted = world.entries.filter(({ kind, at }) => kind === 'grant' && isInMonth(at))
      expect(totals.granted).toEqual({
        count: granted.length,
        amountMicros: granted.reduce((sum, { micros }) => sum + micros, 0n),
      })
    }),
    RUNS,
  )
})

/** Changes one sale so that the two sides disagree, and returns the name of that difference. */
const TAMPERINGS: Record<string, (world: World, reference: Reference) => string> = {
  'a grant is missing': (world, reference) => {
    const booking = world.bookings.get(reference) as Booking
    world.bookings.set(reference, { ...booking, booked: null, paid: null, refund: null, takenBackMicros: 0n })
    world.entries = world.entries.filter((entry) => entry.reference !== reference)
    return 'PAYMENT_WITHOUT_GRANT'
  },
  'a payment is missing': (world, reference) => {
    world.provider.payments = world.provider.payments.filter((payment) => payment.reference !== reference)
    return 'GRANT_WITHOUT_PAYMENT'
  },
  'a payment has another amount': (world, reference) => {
    const { payments } = world.provider
    world.provider.payments = payments.map((one) =>
      one.reference === reference ? { ...one, amountMinor: one.amountMinor + 1n } : one,
    )
    return 'AMOUNT_DIFFERS'
  },
  'a grant has another amount': (world, reference) => {
    const booking = world.bookings.get(reference) as Booking
    const booked = booking.booked && { ...booking.booked, micros: booking.booked.micros + 1n }
    world.bookings.set(reference, { ...booking, booked })
    return 'CREDITS_DIFFER'
  },
  'a second payment was made': (world, reference) => {
    const [payment] = world.provider.payments.filter((one) => one.reference === reference)
    if (payment) world.provider.payments.push({ ...payment, chargeId: `${payment.chargeId}_again` })
    return 'PAYMENT_WITHOUT_GRANT'
  },
}

test.each(Object.entries(TAMPERINGS))('if %s, exactly that is named', async (_, tamper) => {
  await fc.assert(
    fc.asyncProperty(SALES, fc.nat(), async (sales, pick) => {
      const world = worldOf(sales.map((one) => ({ ...one, refundedPermille: null })))
      const whole = [...world.bookings.values()].filter(({ reference, booked }) => {
        const payment = world.provider.payments.find((one) => one.reference === reference)
        return booked && isInMonth(booked.at) && payment && isInMonth(payment.at)
      })
      fc.pre(whole.length > 0)
      const { reference } = whole[pick % whole.length] as Booking
      const kind = tamper(world, reference)
      const { differences } = await reconcile(sourcesOf(world), MONTH)
      expect(differences.map((one) => [one.kind, one.reference])).toEqual([[kind, reference]])
    }),
    RUNS,
  )
})

test.each([
  ['at the provider', 'REFUND_NOT_AT_PROVIDER'],
  ['on the ledger', 'REFUND_NOT_ON_LEDGER'],
])('if a refund is missing %s, exactly that is named', async (_, kind) => {
  await fc.assert(
    fc.asyncProperty(SALES, fc.nat(), async (sales, pick) => {
      const world = worldOf(sales)
      const refunded = world.entries.filter((entry) => entry.kind === 'refund' && isInMonth(entry.at))
      fc.pre(refunded.length > 0)
      const { reference } = refunded[pick % refunded.length] as Entry & { reference: Reference }
      if (kind === 'REFUND_NOT_AT_PROVIDER') {
        world.provider.refunds = world.provider.refunds.filter((one) => one.reference !== reference)
        world.provider.payments = world.provider.payments.map((one) =>
          one.reference === reference ? { ...one, refundedMinor: 0n } : one,
        )
      } else {
        const booking = world.bookings.get(reference) as Booking
        world.bookings.set(reference, { ...booking, refund: null, takenBackMicros: 0n })
        world.entries = world.entries.filter((one) => one.kind !== 'refund' || one.reference !== reference)
      }
      const { differences } = await reconcile(sourcesOf(world), MONTH)
      expect(differences.map((one) => [one.kind, one.reference])).toEqual([[kind, reference]])
    }),
    RUNS,
  )
})
