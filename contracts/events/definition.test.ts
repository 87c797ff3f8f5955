import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { event, id, isoTime, nonNegativeMicros, personal, positiveMicros, tokenCount } from './definition.ts'

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success

describe('an amount of micros', () => {
  test.each(['0', '1', '18446744073709551616', '9'.repeat(28)])('may be %s', (text) => {
    expect(accepts(nonNegativeMicros, text)).toBe(true)
  })

  test.each(['', '-1', '-0', '01', '+1', '1.0', '1e3', ' 1', '1\n', '9'.repeat(29), 1, null])('is not %j', (value) => {
    expect(accepts(nonNegativeMicros, value)).toBe(false)
    expect(accepts(positiveMicros, value)).toBe(false)
  })

  test('must not be zero where it must be positive', () => {
    expect(accepts(positiveMicros, '0')).toBe(false)
    expect(accepts(positiveMicros, '1')).toBe(true)
  })
})

describe('a time', () => {
  test('has milliseconds and is in UTC, so that times compare correctly as text', () => {
    expect(accepts(isoTime, '2026-03-01T10:00:00.000Z')).toBe(true)
  })

  test.each([
    '2026-03-01',
    '2026-03-01T10:00:00Z',
    '2026-03-01T10:00:00.0000Z',
    '2026-03-01T10:00:00.000',
    '2026-03-01T10:00:00.000+00:00',
    '2026-03-01 10:00:00.000Z',
    '2026-13-01T10:00:00.000Z',
    '2026-02-30T10:00:00.000Z',
    '+012026-03-01T10:00:00.000Z',
  ])('is not %s', (text) => {
    expect(accepts(isoTime, text)).toBe(false)
  })
})

test('an id is a UUID of any version', () => {
  expect(accepts(id, '0193a1b2-0000-7000-8000-00000000c001')).toBe(true)
  expect(accepts(id, '6a72469d-70bc-5129-b413-5e48c13d1bea')).toBe(true)
  expect(accepts(id, 'company-1')).toBe(false)
})

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '1'])('%j is not a token count', (value) => {
  expect(accepts(tokenCount, value)).toBe(false)
})

describe('a personal field', () => {
  const schema = z.strictObject({
    talentId: id,
    name: personal(),
    nickname: personal().nullable(),
    location: z.string(),
  })

  test('is found by its mark, even if it is nullable', () => {
    expect(event(1, schema, { subjectOf: ({ talentId }) => `talent-${talentId}` }).personal).toEqual([
      'name',
      'nickname',
    ])
  })

  test('requires a subject', () => {
    expect(() => event(1, schema)).toThrow(/without a subject: name, nickname/)
  })
})
