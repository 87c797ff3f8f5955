import { describe, expect, test } from 'vitest'
import { WrongUsage } from '../cli/command.ts'
import { decimalOf, decimalText, times, wholeUnits } from './decimal.ts'

const perMillion = (text: string, factor = '1') =>
  wholeUnits(times(decimalOf(text, 'it'), decimalOf(factor, 'it')), -12)

describe('a price per token in millionths per million tokens', () => {
  test.each([
    ['0.0000025', '1', 2_500_000n],
    ['2.5e-6', '1', 2_500_000n],
    ['2.5E-06', '1.2', 3_000_000n],
    ['1.5000000000000002e-7', '1', 150_000n],
    ['2.9999999999999997e-06', '1', 3_000_000n],
    ['1e-12', '1', 1n],
    ['4e-13', '1', 0n],
    ['5e-13', '1', 1n],
    ['0', '3', 0n],
    ['1', '1', 1_000_000_000_000n],
    ['7e3', '1', 7_000_000_000_000_000n],
  ])('%s times %s is %s', (text, factor, micros) => {
    expect(perMillion(text, factor)).toBe(micros)
  })
})

test.each(['', '-1', '1,5', '.5', '1.', 'NaN', 'Infinity', '1e999', '0x10', ' 1'])('%j is refused', (text) => {
  expect(() => decimalOf(text, 'line 2, input')).toThrow(WrongUsage)
  expect(() => decimalOf(text, 'line 2, input')).toThrow('line 2, input')
})

test.each([
  ['40000000000', -12, '0.04'],
  ['1', -12, '0.000000000001'],
  ['2000000', -6, '2'],
  ['10500000', -6, '10.5'],
  ['0', -6, '0'],
])('%s units of 10^%s are %s', (units, exponent, text) => {
  expect(decimalText(units, exponent)).toBe(text)
})
