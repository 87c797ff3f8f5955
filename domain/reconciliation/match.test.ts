import { expect, test } from 'vitest'
import { type Booking, matchPayment, matchRefund, type Payment, withoutPayment } from './match.ts'

const reference = 'purchase 1'
const payment: Payment = {
  chargeId: 'ch_1',
  at: '2026-10-31T23:59:59.000Z',
  amountMinor: 1050n,
  refundedMinor: 0n,
  currency: 'usd',
  reference,
  companyId: 'c',
}
const booking: Booking = {
  reference,
  companyId: 'c',
  paid: { amountMinor: 1050n, currency: 'usd' },
  dueMicros: 100_000_000n,
  booked: { kind: 'grant', micros: 100_000_000n, at: '2026-10-31T23:59:59.000Z' },
  refund: null,
  takenBackMicros: 0n,
  correctedMicros: 0n,
  waivedMicros: 0n,
  disputes: [],
  withdrawnMicros: 0n,
}
const kindsOf = (findings: readonly { readonly kind: string }[]) => findings.map(({ kind }) => kind)

test('a payment that was booked as made has no finding', () => {
  expect(matchPayment(payment, booking)).toEqual([])
  expect(matchRefund(payment, booking)).toEqual([])
})

test('a payment without a booking is named with its amount, time and purchase', () => {
  expect(matchPayment(payment, null)).toEqual([
    {
      kind: 'PAYMENT_WITHOUT_GRANT',
      text: 'payment ch_1 of 10.5 usd at 2026-10-31T23:59:59.000Z for purchase 1 has no grant on the ledger',
      reference,
      companyId: 'c',
      chargeId: 'ch_1',
    },
  ])
})

test('a payment of an invoice that grants nothing is explained', () => {
  expect(kindsOf(matchPayment(payment, { ...booking, booked: null, dueMicros: null }))).toEqual(['NO_CREDITS_DUE'])
})

test('another currency is another amount', () => {
  const [finding] = matchPayment({ ...payment, currency: 'jpy' }, booking)
  expect(finding?.kind).toBe('AMOUNT_DIFFERS')
  expect(finding?.text).toMatch(/of 1050 jpy .* is recorded as 10\.5 usd$/)
})

test('a grant in the next month is explained', () => {
  const booked = { kind: 'grant', micros: 100_000_000n, at: '2026-11-01T00:00:00.000Z' } as const
  expect(kindsOf(matchPayment(payment, { ...booking, booked }))).toEqual(['OTHER_MONTH'])
})

test('a disputed payment whose credits are withdrawn is explained, and another amount is a difference', () => {
  const disputes = [{ disputeId: 'du_1', chargedMinor: '1050', disputedMinor: '525' }]
  const disputed = { ...booking, disputes, withdrawnMicros: 50_000_000n }
  const [finding, ...others] = matchPayment(payment, disputed)
  expect(others).toEqual([])
  expect(finding).toMatchObject({
    kind: 'DISPUTED',
    text: '50 credits of purchase 1 are withdrawn for disputes: du_1',
  })
  for (const withdrawnMicros of [0n, 49_999_999n, 100_000_000n]) {
    expect(kindsOf(matchPayment(payment, { ...disputed, withdrawnMicros }))).toEqual(['CREDITS_DIFFER'])
  }
})

test('disputes withdraw at most what refunds and corrections leave, and nothing once they were won', () => {
  const disputes = [{ disputeId: 'du_1', chargedMinor: '1050', disputedMinor: '1050' }]
  const taken = { takenBackMicros: 30_000_000n, correctedMicros: 20_000_000n }
  const disputed = { ...booking, ...taken, disputes, withdrawnMicros: 50_000_000n }
  expect(kindsOf(matchPayment(payment, disputed))).toEqual(['DISPUTED'])
  const won = { ...booking, disputes: [{ disputeId: 'du_1', chargedMinor: '1050', disputedMinor: '0' }] }
  expect(matchPayment(payment, won)).toEqual([])
  expect(kindsOf(matchPayment(payment, { ...won, withdrawnMicros: 1n }))).toEqual(['CREDITS_DIFFER'])
})

test('credits are taken back in proportion to what is refunded', () => {
  const refund = { chargedMinor: '1050', refundedMinor: '525' }
  const refunded = { ...payment, refundedMinor: 525n }
  expect(matchRefund(refunded, { ...booking, refund, takenBackMicros: 50_000_000n })).toEqual([])
  expect(kindsOf(matchRefund(refunded, { ...booking, refund, takenBackMicros: 49_999_999n }))).toEqual([
    'CREDITS_DIFFER',
  ])
  expect(kindsOf(matchRefund(refunded, booking))).toEqual(['REFUND_NOT_ON_LEDGER'])
  expect(kindsOf(matchRefund(payment, { ...booking, refund, takenBackMicros: 50_000_000n }))).toEqual([
    'REFUND_NOT_AT_PROVIDER',
  ])
})

test('refunding a usage invoice takes nothing back', () => {
  const settled = { kind: 'settlement', micros: 100_000_000n, at: payment.at } as const
  const refund = { chargedMinor: '1050', refundedMinor: '1050' }
  expect(matchRefund({ ...payment, refundedMinor: 1050n }, { ...booking, booked: settled, refund })).toEqual([])
})

test('a grant without a payment is a difference, unless there was nothing to pay', () => {
  expect(withoutPayment(booking).kind).toBe('GRANT_WITHOUT_PAYMENT')
  expect(withoutPayment({ ...booking, paid: { amountMinor: 0n, currency: 'usd' } }).kind).toBe('NOTHING_TO_PAY')
})

test('what a correction of the grant took is not taken again, and what a person gave back is not a difference', () => {
  const refunded = { ...payment, refundedMinor: 500n }
  const refund = { chargedMinor: '1000', refundedMinor: '500' }
  const corrected = { ...booking, refund, correctedMicros: 80_000_000n }
  expect(matchRefund(refunded, { ...corrected, takenBackMicros: 20_000_000n })).toEqual([])
  expect(kindsOf(matchRefund(refunded, { ...corrected, takenBackMicros: 50_000_000n }))).toEqual(['CREDITS_DIFFER'])
  expect(matchRefund(refunded, { ...booking, refund, takenBackMicros: 0n, waivedMicros: 50_000_000n })).toEqual([])
})
