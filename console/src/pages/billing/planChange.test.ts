import { expect, test } from 'vitest'
import { planChange } from './planChange.ts'

const TEAM = { price: 49, creditsPerPeriod: 5_000 }
const PRO = { price: 99, creditsPerPeriod: 12_000 }
const END = '2026-12-01T00:00:00Z'

test('a plan with more credits for more money starts at once, and the rest of the month is paid and granted', () => {
  const half = Date.parse('2026-11-16T00:00:00Z')
  expect(planChange(TEAM, PRO, END, half)).toEqual({ starts: 'now', price: 25, credits: 3_500 })
  expect(planChange(TEAM, PRO, END, Date.parse(END) + 60_000)).toEqual({ starts: 'now', price: 0, credits: 0 })
})

test('any other plan starts with the next period', () => {
  const now = Date.parse('2026-11-16T00:00:00Z')
  expect(planChange(PRO, TEAM, END, now)).toEqual({ starts: 'next period' })
  expect(planChange(TEAM, { price: 60, creditsPerPeriod: 4_000 }, END, now)).toEqual({ starts: 'next period' })
})

test('a month that ends on the 31st begins at the end of a shorter one', () => {
  const change = planChange(TEAM, PRO, '2026-03-31T00:00:00Z', Date.parse('2026-02-28T00:00:00Z'))
  expect(change).toEqual({ starts: 'now', price: 50, credits: 7_000 })
})
