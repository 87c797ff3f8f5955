import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { apportion } from './apportion.ts'

const amounts = fc.array(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), { maxLength: 12 })
const price = fc.record({
  minor: fc.bigInt({ min: 0n, max: 10n ** 12n }),
  perMicros: fc.bigInt({ min: 1n, max: 10n ** 18n }),
})
const step = fc.constantFrom(1n, 10n, 100n)

test('the parts add up to the total, which is the exact sum rounded once; each part is off by less than a unit', () => {
  fc.assert(
    fc.property(amounts, price, step, (micros, unitPrice, unit) => {
      const { total, parts } = apportion(micros, unitPrice, unit)
      const { minor, perMicros } = unitPrice
      expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(total)
      expect(total % unit).toBe(0n)
      const exact = micros.reduce((sum, one) => sum + one, 0n) * minor
      // |total - exact| <= unit / 2, without a division.
      const off = total * perMicros - exact
      expect((off < 0n ? -off : off) * 2n <= unit * perMicros).toBe(true)
      parts.forEach((part, index) => {
        const partOff = part * perMicros - (micros[index] ?? 0n) * minor
        expect(partOff < unit * perMicros && partOff > -unit * perMicros).toBe(true)
      })
    }),
    { numRuns: propertyRuns({ few: 500, many: 2_500 }) },
  )
})

test('the parts with the largest remainders are rounded up', () => {
  const price = { minor: 1n, perMicros: 10n }
  expect(apportion([4n, 7n, 9n], price, 1n)).toEqual({ total: 2n, parts: [0n, 1n, 1n] })
  expect(apportion([5n, 5n], price, 1n)).toEqual({ total: 1n, parts: [1n, 0n] })
  expect(apportion([105n, -100n], price, 1n)).toEqual({ total: 1n, parts: [11n, -10n] })
  expect(apportion([], price, 1n)).toEqual({ total: 0n, parts: [] })
})
