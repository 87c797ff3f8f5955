import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requirePrice } from './price.ts'

const decimalsByCurrency = { usd: 2, eur: 2, chf: 2, jpy: 0, krw: 0, kwd: 3, bhd: 3 }
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

  test.each(['', 'USD', 'us', 'usdt', 'us1', 'usd\n', '$'])('has no currency called %j', (currency) => {
    expect(() => requirePrice('10', currency)).toThrow(/currency must be a lowercase code/)
  })
})
