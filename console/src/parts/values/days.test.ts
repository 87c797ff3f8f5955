import { expect, test } from 'vitest'
import { daysIn } from './days.ts'

test('an address has one of the times that the filter offers, or all of them', () => {
  expect(daysIn({ days: 7 })).toEqual({ days: 7 })
  for (const search of [{}, { days: 8 }, { days: '7' }, { days: null }]) expect(daysIn(search)).toEqual({})
})
