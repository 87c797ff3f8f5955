import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { canonicalJson, canonicalJsonWith } from './canonicalJson.ts'

test('canonical JSON writes every value like a simple writer without shortcuts', () => {
  const naive = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(naive).join(',')}]`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${naive(member)}`).join(',')}}`
  }
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary', maxDepth: 3 }), (text) => {
      const value: unknown = JSON.parse(text)
      fc.pre(naive(value).isWellFormed() && !/\\ud[89a-f]/.test(naive(value)))
      expect(canonicalJson(value)).toBe(naive(value))
    }),
    { numRuns: propertyRuns({ few: 30, many: 300 }) },
  )
})

test('an object with some members left out and one added is written like that object', () => {
  const names = ['a', 'provider', 'costMicros', 'with', 'withheld2', 'zone', '__proto__', 'é']
  const members = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 1 }))
  fc.assert(
    fc.property(members, fc.subarray(names), fc.string({ unit: 'grapheme' }), (data, omitted, value) => {
      const kept = Object.entries(data).filter(([name]) => !omitted.includes(name))
      const made = Object.fromEntries([...kept, ['withheld', value]])
      const write = canonicalJsonWith(omitted, 'withheld')
      expect(write(data, value)).toBe(canonicalJson(made))
      expect(write(data, `${value}.`)).toBe(canonicalJson({ ...made, withheld: `${value}.` }))
    }),
    { numRuns: propertyRuns({ few: 30, many: 300 }) },
  )
})
