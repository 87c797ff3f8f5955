import { expect, test } from 'vitest'
import { exactCredits, exactEach, microsOf, plainDecimal, shortCredits } from './credits.ts'

test.for([
  ['0', '0.00'],
  ['1', '0.000001'],
  ['51000', '0.051'],
  ['500000', '0.50'],
  ['1000000', '1.00'],
  ['1234567890123', '1,234,567.890123'],
  ['-2500000', '−2.50'],
  ['-1', '−0.000001'],
  ['999999999999999999999', '999,999,999,999,999.999999'],
])('%s millionths are %s credits exactly', ([micros, text]) => {
  expect(exactCredits(BigInt(micros ?? ''))).toBe(text)
})

test.for([
  ['0', '0'],
  ['1', '0.000001'],
  ['51234', '0.0512'],
  ['999999', '1.00'],
  ['1004999', '1.00'],
  ['1005000', '1.01'],
  ['1234567890', '1,234.57'],
  ['-1234567', '−1.23'],
  ['999999994999', '999,999.99'],
  ['1234567890500000', '1,234,567,891'],
])('%s millionths are shown in short as %s', ([micros, text]) => {
  expect(shortCredits(BigInt(micros ?? ''))).toBe(text)
})

test.for([
  [0.1, 100_000n],
  [1.1, 1_100_000n],
  [0.000001, 1n],
  [-2.5, -2_500_000n],
  [123456.789012, 123_456_789_012n],
] as const)('%d credits are %d millionths', ([credits, micros]) => {
  expect(microsOf(credits)).toBe(micros)
})

test.for([
  ['0', '0.00'],
  ['1', '0.000000000001'],
  ['15000000', '0.000015'],
  ['10000000000', '0.01'],
  ['1000000000000', '1.00'],
  ['1234500000000000', '1,234.50'],
])('%s millionths for a million are %s credits for one', ([micros, text]) => {
  expect(exactEach(BigInt(micros ?? ''))).toBe(text)
})

test.for([
  [0, '0'],
  [0.01, '0.01'],
  [1e-7, '0.0000001'],
  [1.5e-11, '0.000000000015'],
  [2_500, '2500'],
] as const)('the number %s is written without an exponent as %s', ([value, text]) => {
  expect(plainDecimal(value)).toBe(text)
})
