import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { majorUnits, minorUnits, requirePrice } from './price.ts'

const decimalsByCurrency = { usd: 2, eur: 2, chf: 2, jpy: 0, krw: 0, isk: 0, ugx: 0, kwd: 2, bhd: 2 }
const invalid = expect.objectContaining({ name: 'Refusal', code: 'INVALID' })

describe('a price in major units', () => {
  test('has at most the decimals that its currency has', () => {
    const currencies = fc.constantFrom(...(Object.keys(decimalsByCurrency) as Array<keyof typeof decimalsByCurrency>))
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 })
    fc.assert(
      fc.property(currencies, fc.nat({ max: 999_999_999_999 }), digits, (currency, whole, fraction) => {
        const price = fraction.length > 0 ? `${whole}.${fraction.join('')}` : String(whole)
        if (fraction.length <= decimalsByCurrency[currency]) expect(() => requirePrice(price, currency)).not.toThrow()
        else expect(() => requirePrice(price, currency)).toThrow(invalid)
      }),
    )
  })

  test.each(['', '-1', '+1', '01', '1.', '.5', '1,5', '1e3', ' 10', '10 ', '10\n', 'ten', '1'.repeat(13)])(
    'is not %j',
    (price) => {
      expect(() => requirePrice(price, 'usd')).toThrow(invalid)
    },
  )

  test.each(['', 'USD', 'us', 'usdt', 'us1', 'usd\n', '$'])('refuses the currency %j', (currency) => {
    expect(() => requirePrice('10', currency)).toThrow(/currency must be a lowercase code/)
  })
})

describe('the smallest unit of a currency', () => {
  test.each([
    ['10', 'usd', '1000'],
    ['0.5', 'usd', '50'],
    ['10.05', 'eur', '1005'],
    ['0', 'usd', '0'],
    ['1200', 'jpy', '1200'],
    ['1.5', 'kwd', '1500'],
    ['0.01', 'kwd', '10'],
    ['5', 'isk', '500'],
    ['20000', 'ugx', '2000000'],
    ['999999999999.99', 'usd', '99999999999999'],
  ])('%s %s is %s, and the other way round', (price, currency, minor) => {
    expect(minorUnits(price, currency)).toBe(minor)
    expect(majorUnits(minor, currency)).toBe(price)
  })

  test('is never split', () => {
    expect(() => minorUnits('10.5', 'jpy')).toThrow(/more decimals than jpy/)
    expect(() => minorUnits('5.5', 'isk')).toThrow(/more decimals than isk/)
    expect(() => minorUnits('5.5', 'ugx')).toThrow(/more decimals than ugx/)
    expect(() => minorUnits('0.001', 'kwd')).toThrow(/more decimals than kwd/)
  })

  test('that the provider reports is shown, even if no price could have it', () => {
    expect(majorUnits('1', 'kwd')).toBe('0.001')
    expect(majorUnits('550', 'isk')).toBe('5.5')
  })
})
