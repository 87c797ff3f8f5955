import fc from 'fast-check'
import { expect, test } from 'vitest'
import { creditsTakenBack } from './refund.ts'

const refund = (refunded: bigint, charged: bigint) => ({ chargedMinor: `${charged}`, refundedMinor: `${refunded}` })

test('credits are taken back in proportion to the money, never more than were granted', () => {
  expect(creditsTakenBack(1_000_000n, refund(250n, 1_000n))).toBe(250_000n)
  expect(creditsTakenBack(100n, refund(1n, 3n))).toBe(33n)
  expect(creditsTakenBack(100n, refund(3n, 3n))).toBe(100n)
  expect(creditsTakenBack(100n, refund(4n, 3n))).toBe(100n)
  expect(creditsTakenBack(100n, refund(0n, 0n))).toBe(100n)
})

test('a larger refund never takes back fewer credits', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 15n })
  fc.assert(
    fc.property(amount, amount, amount, fc.bigInt({ min: 1n, max: 10n ** 18n }), (a, b, charged, credits) => {
      const [less, more] = a < b ? [a, b] : [b, a]
      expect(creditsTakenBack(credits, refund(less, charged)) <= creditsTakenBack(credits, refund(more, charged))).toBe(
        true,
      )
    }),
  )
})
