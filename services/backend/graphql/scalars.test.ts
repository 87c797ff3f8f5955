import { parseValue } from 'graphql'
import { describe, expect, test } from 'vitest'
import { DateTime, JSONObject, Upload } from './scalars.ts'

describe('DateTime', () => {
  test.each([
    ['2026-03-01T10:00:00.5+01:00', '2026-03-01T09:00:00.500Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ])('%s is read as UTC with milliseconds, as a variable and in the query', (written, read) => {
    expect(DateTime.parseValue(written)).toBe(read)
    expect(DateTime.parseLiteral(parseValue(`"${written}"`))).toBe(read)
  })

  test.each(['', 'soon', '2026-03-01T10:00:00', '2026-13-01', 1_772_000_000, null])('%j is refused', (written) => {
    expect(() => DateTime.parseValue(written)).toThrow(/ISO 8601/)
  })
})

describe('JSONObject', () => {
  test('is read from a literal with every kind of JSON value, and variables inside', () => {
    const literal = parseValue('{ a: [1, 2.5, "x", true, null, { b: $v }] }')
    expect(JSONObject.parseLiteral(literal, { v: 'given' })).toEqual({ a: [1, 2.5, 'x', true, null, { b: 'given' }] })
  })

  test.each([[[]], ['text'], [7], [null]])('%j is refused', (value) => {
    expect(() => JSONObject.parseValue(value)).toThrow(/JSON object/)
  })
})

describe('Upload', () => {
  test('is the file itself', () => {
    const file = new File(['x'], 'cv.txt')
    expect(Upload.parseValue(file)).toBe(file)
  })

  test.each(['text', {}, new Blob(['without a name'])])('%j is refused', (value) => {
    expect(() => Upload.parseValue(value)).toThrow(/multipart/)
  })
})
