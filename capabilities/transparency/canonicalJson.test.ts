import { describe, expect, test } from 'vitest'
import { canonicalJson } from './canonicalJson.ts'

describe('canonical JSON', () => {
  test('writes the example of RFC 8785, section 3.2.2', () => {
    const text = String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
      "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`
    expect(canonicalJson(JSON.parse(text))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
  })

  test('orders names by UTF-16 code units, as in the example of section 3.2.3', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6']
    const text = canonicalJson(Object.fromEntries(names.map((name, at) => [name, at])))
    expect([...text.matchAll(/:(\d)/g)].map(([, at]) => names[Number(at)])).toEqual([
      ...['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'],
    ])
  })

  test.for([
    ['names that are numbers', '{"9":1,"10":2,"a":{"2":1,"11":0}}', '{"10":2,"9":1,"a":{"11":0,"2":1}}'],
    ['a member named __proto__', '{"b":1,"__proto__":{"x":1},"a":2}', '{"__proto__":{"x":1},"a":2,"b":1}'],
    ['a backslash before the letters of an escape', '{"b":"\\\\ud800","a":1}', '{"a":1,"b":"\\\\ud800"}'],
    ['an object without members in an array', '[{},{"b":[],"a":null}]', '[{},{"a":null,"b":[]}]'],
  ] as const)('keeps %s', ([, text, canonical]) => {
    expect(canonicalJson(JSON.parse(text))).toBe(canonical)
  })

  test('writes objects with the same names in another order, or with more names, like any other', () => {
    const texts = ['{"b":1,"a":2}', '{"b":3,"a":4}', '{"b":1,"a":2,"c":3}', '{"a":2,"b":1}', '{"b":1}', '{"b":1,"c":2}']
    expect(texts.map((text) => canonicalJson(JSON.parse(text)))).toEqual([
      ...['{"a":2,"b":1}', '{"a":4,"b":3}', '{"a":2,"b":1,"c":3}', '{"a":2,"b":1}', '{"b":1}', '{"b":1,"c":2}'],
    ])
  })

  test('writes objects of more shapes than it remembers', () => {
    const kinds = Array.from({ length: 500 }, (_, n) => [`${n % 300} x`, `${n} a`, ...(n === 7 ? '0123456789' : '')])
    for (const names of [...kinds, ...kinds.toReversed()]) {
      const members = names.toSorted().map((name) => `${JSON.stringify(name)}:1`)
      expect(canonicalJson(Object.fromEntries(names.map((name) => [name, 1])))).toBe(`{${members.join(',')}}`)
    }
  })

  /** From appendix B of the RFC: the bits of a double, and its text. */
  const numbers = [
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555555', '333333333.3333333'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
  ] as const
  test.for(numbers)('writes the double %s as %s', ([bits, text]) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text)
  })

  test.for([
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1n,
    '\ud800',
    { name: undefined },
    { '\udfff': 1 },
    () => 1,
  ])('refuses %s, which JSON cannot hold', (value) => {
    expect(() => canonicalJson(value)).toThrow('has no canonical form')
  })
})
