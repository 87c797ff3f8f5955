import { expect, test } from 'vitest'
import { daysIn } from './days.ts'

test('days that the filter does not offer are ignored', () => {
  expect(daysIn({ days: 7 })).toEqual({ days: 7 })
  for (const search of [{}, { days: 8 }, { days: '7' }, { days: null }]) expect(daysIn(search)).toEqual({})
})
