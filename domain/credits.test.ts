import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AMOUNT_MICROS_MAX, creditsNumber, creditsOf, formatCredits, parseCredits, requireAmount } from './credits.ts'

const upTo = (micros: bigint) => fc.bigInt({ min: -micros, max: micros })

describe('an amount of credits as text', () => {
  test.each([
    [0n, '0'],
    [1n, '0.000001'],
    [-1n, '-0.000001'],
    [1_500_000n, '1.5'],
    [-10_000_000n, '-10'],
    [100_000_001n, '100.000001'],
    [9_007_199_254_740_993_000_001n, '9007199254740993.000001'],
  ])('%s micros are written %s', (micros, text) => {
    expect(formatCredits(micros)).toBe(text)
  })

  test('reads back as the same amount, far above what a double can hold', () => {
    fc.assert(
      fc.property(upTo(10n ** 24n - 1n), (micros) => {
        expect(parseCredits(formatCredits(micros))).toBe(micros)
      }),
    )
  })

  test('has no exponent, no sign on zero and no trailing zeros', () => {
    fc.assert(
      fc.property(upTo(10n ** 24n), (micros) => {
        expect(formatCredits(micros)).toMatch(/^(?:0|-?(?:[1-9]\d*|0(?=\.))(?:\.\d{0,5}[1-9])?)$/)
      }),
    )
  })

  test.each([
    ['007', 7_000_000n],
    ['1.50', 1_500_000n],
    ['-0', 0n],
    ['999999999999999999.999999', 10n ** 24n - 1n],
  ])('%s is read as %s micros', (text, micros) => {
    expect(parseCredits(text)).toBe(micros)
  })

  test.each([
    '',
    ' 1',
    '1 ',
    '1.',
    '.5',
    '1.1234567',
    '1e3',
    '+1',
    '--1',
    '1,5',
    '0x10',
    'NaN',
    'Infinity',
    '१',
    '1\n',
    '9'.repeat(19),
  ])('%j is refused', (text) => {
    expect(() => parseCredits(text)).toThrow(expect.objectContaining({ name: 'Refusal', code: 'INVALID' }))
  })
})

test('credits as a JSON number are exact up to a billion credits', () => {
  fc.assert(
    fc.property(upTo(10n ** 15n - 1n), (micros) => {
      expect(parseCredits(String(creditsNumber(micros)))).toBe(micros)
    }),
  )
})

describe('an amount that a command may move', () => {
  test('is anything from one micro to the limit, as its exact string', () => {
    expect(requireAmount(1n, 'a grant')).toBe('1')
    expect(requireAmount(AMOUNT_MICROS_MAX, 'a grant')).toBe('1000000000000000000')
  })

  test.each([
    [0n, 'a grant must be more than zero'],
    [-1n, 'a grant must be more than zero'],
    [AMOUNT_MICROS_MAX + 1n, 'a grant must be at most 1000000000000'],
  ])('is not %s', (micros, message) => {
    expect(() => requireAmount(micros, 'a grant')).toThrow(message)
  })
})

describe('an amount of credits as a number', () => {
  test('is exact to the millionth, up to the limit', () => {
    fc.assert(
      fc.property(upTo(8_589_934_591_999_999n), (micros) => {
        expect(creditsOf(Number(formatCredits(micros)))).toBe(micros)
      }),
    )
    expect(creditsOf(-0)).toBe(0n)
  })

  test.each([
    90071992547.40993,
    8_589_934_592,
    -8_589_934_592,
    1e300,
    1e21,
    1e-7,
    0.0000015,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('is refused if it may not be what was meant: %s', (value) => {
    expect(() => creditsOf(value)).toThrow(/six decimals/)
  })
})
