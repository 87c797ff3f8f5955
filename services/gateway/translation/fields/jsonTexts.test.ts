import { describe, expect, test } from 'vitest'
import { parseExactly } from './jsonTexts.ts'

describe('a number is parsed with all its digits', () => {
  test.each(['12345678901234567890', '0.1234567890123456789', '1e400', '-0.1e-400'])('%s', (text) => {
    expect(JSON.stringify(parseExactly(`{"a":[${text}]}`))).toBe(`{"a":[${text}]}`)
  })
  test('and one that needs no care is a number', () => {
    expect(parseExactly('{"a":1.50,"b":"1e4","c":1e2}')).toEqual({ a: 1.5, b: '1e4', c: 100 })
  })
})
