import { expect, test } from 'vitest'
import { CATEGORIES, categoryOf, PRICING_STREAM, streamName } from './streams.ts'

test('the category of a stream is the text before the first dash, whatever its id contains', () => {
  const id = '0193a1b2-0000-7000-8000-00000000c001'
  for (const category of CATEGORIES) expect(categoryOf(streamName(category, id))).toBe(category)
  expect(categoryOf(PRICING_STREAM)).toBe('pricing')
})

test('no category name contains a dash, which separates it from the id', () => {
  expect(CATEGORIES.filter((category) => category.includes('-'))).toEqual([])
})
