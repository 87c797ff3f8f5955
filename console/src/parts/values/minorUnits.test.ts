import { expect, test } from 'vitest'
import { majorUnits } from './minorUnits.ts'

test('an amount of the payment provider has the decimals of its currency', () => {
  expect(majorUnits('1250', 'usd')).toBe(12.5)
  expect(majorUnits('1250', 'jpy')).toBe(1_250)
  expect(majorUnits('1250', 'kwd')).toBe(1.25)
  // Shown without decimals, but counted in hundredths.
  expect(majorUnits('1200', 'isk')).toBe(12)
  expect(majorUnits('-5', 'eur')).toBe(-0.05)
})
