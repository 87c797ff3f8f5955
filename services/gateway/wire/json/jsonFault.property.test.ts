import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyMembers, objectText } from '../../../../test/support/cases/jsonTexts.ts'
import { propertyRuns } from '../../../../test/support/cases/propertyRuns.ts'
import { findJsonFault } from './jsonFault.ts'

const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const offsetOf = (text: string) => {
  const fault = findJsonFault(text)
  if (fault === null) return null
  return (
    text
      .split('\n')
      .slice(0, fault.line - 1)
      .reduce((sum, line) => sum + line.length + 1, 0) +
    fault.column -
    1
  )
}

const STRING_ENDS = ['"', 'n"', '0"', '00"', '000"', '0000"']
const LITERAL_ENDS = ['rue', 'ue', 'e', 'alse', 'lse', 'se', 'ull', 'll', 'l']
const ENDS = ['', '0', ':0', '"":0', ...LITERAL_ENDS, ...STRING_ENDS, ...STRING_ENDS.map((end) => `${end}:0`)]

/** Whether some ending could still make it valid JSON, according to the engine. */
const canGoOn = (text: string) => ENDS.some((end) => isJson(closed(text + end)))

function closed(text: string): string {
  const closers: string[] = []
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (inString && char === '\\') at++
    else if (char === '"') inString = !inString
    else if (!inString && (char === '{' || char === '[')) closers.unshift(char === '{' ? '}' : ']')
    else if (!inString && (char === '}' || char === ']')) closers.shift()
  }
  return text + closers.join('')
}

describe('findJsonFault', () => {
  it.each([
    ['{"a": NaN}', 1, 7, false],
    ["{'a': 1}", 1, 2, false],
    ['{\n  "a": 1,\n}', 3, 1, false],
    ['{"a": 1', 1, 8, true],
    ['{"a": "x', 1, 9, true],
    ['{"a": "x\ny"}', 1, 9, false],
    ['{"a": "\\x"}', 1, 9, false],
    ['{"a": 01}', 1, 8, false],
    ['{"a": 1.}', 1, 9, false],
    ['{"a" 1}', 1, 6, false],
    ['{"a": 1} x', 1, 10, false],
    ['{"a": [1, 2}', 1, 12, false],
    ['[1,]', 1, 4, false],
    ['', 1, 1, true],
    ['\ufeff{}', 1, 1, false],
  ])('%j at line %i, column %i', (text, line, column, endsEarly) => {
    expect(findJsonFault(text)).toEqual({ line, column, endsEarly })
  })

  it('finds none in JSON', () => {
    fc.assert(
      fc.property(anyMembers, (members) => {
        expect(findJsonFault(objectText(members))).toBeNull()
      }),
    )
  })

  it('agrees with the engine on what is JSON, and points at the first character that makes it invalid', () => {
    const bits = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ':',
      ',',
      '"a"',
      ' ',
      '\n',
      'u',
      '0',
      '1',
      '-',
      '.',
      'e',
      'true',
      'null',
      'x',
    )
    const damaged = fc.tuple(anyMembers, fc.nat(), fc.nat({ max: 3 }), bits).map(([members, at, length, bit]) => {
      const text = objectText(members)
      const start = at % text.length
      return text.slice(0, start) + bit + text.slice(start + length)
    })
    const texts = fc.oneof(
      damaged,
      fc.array(bits, { maxLength: 12 }).map((deps) => deps.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const offset = offsetOf(text)
        expect(offset === null).toBe(isJson(text))
        if (offset === null) return
        expect(canGoOn(text.slice(0, offset))).toBe(true)
        if (offset < text.length) expect(canGoOn(text.slice(0, offset + 1))).toBe(false)
      }),
      { numRuns: propertyRuns({ few: 500, many: 1_500 }) },
    )
  })

  it('remembers which bracket each depth has to close', () => {
    const open = '{"a":['.repeat(100)
    expect(findJsonFault(`${open}${']}'.repeat(100)}`)).toBeNull()
    expect(findJsonFault(`${open}${']}'.repeat(99)}}`)?.column).toBe(open.length + 199)
  })

  it('survives ten million open brackets', () => {
    expect(findJsonFault('['.repeat(10_000_000))).toEqual({ line: 1, column: 10_000_001, endsEarly: true })
  })
})
