import { expect, test } from 'vitest'
import { rateAfter } from './backlog.ts'

test('a rate excludes the start and the poll that ends it', () => {
  const looks = [1_000, 1_500, 1_500, 2_500, 3_500].map((atMs) => ({ events: 100, atMs }))
  expect(rateAfter(200, looks)).toBe(100)
})
