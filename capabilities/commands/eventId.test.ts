import { expect, test } from 'vitest'
import { deterministicId } from './eventId.ts'

test('a key always gives the same id; otherwise everything in flight would be booked twice', () => {
  expect(deterministicId('call:11111111-1111-4111-8111-111111111111')).toBe('6a72469d-70bc-5129-b413-5e48c13d1bea')
})

test('different keys give different ids', () => {
  const ids = Array.from({ length: 1_000 }, (_, n) => deterministicId(`call:${n}`))
  expect(new Set(ids).size).toBe(1_000)
})
