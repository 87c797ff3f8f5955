import { expect, test } from 'vitest'
import type { KeyBudget } from '../contracts/events/apiKey.ts'
import { isWithin, sameBudget, storedBudget } from './budget.ts'

const FIVE: KeyBudget = { amountMicros: '5000000', period: 'MONTH' }

test('a budget is stored as text, and must be more than nothing', () => {
  expect(storedBudget({ amountMicros: 5_000_000n, period: 'MONTH' }, 'a budget')).toEqual(FIVE)
  expect(storedBudget(null, 'a budget')).toBeNull()
  expect(() => storedBudget({ amountMicros: 0n, period: 'DAY' }, 'the budget of a key')).toThrow(/budget of a key/)
})

test('budgets are the same if amount and period are', () => {
  expect(sameBudget(FIVE, { ...FIVE })).toBe(true)
  expect(sameBudget(null, null)).toBe(true)
  expect(sameBudget(FIVE, null)).toBe(false)
  expect(sameBudget(FIVE, { ...FIVE, period: 'DAY' })).toBe(false)
  expect(sameBudget(FIVE, { ...FIVE, amountMicros: '5000001' })).toBe(false)
})

test('a budget is within one of the same period and at least the amount, compared as numbers', () => {
  expect(isWithin(FIVE, FIVE)).toBe(true)
  expect(isWithin({ ...FIVE, amountMicros: '999999' }, FIVE)).toBe(true)
  expect(isWithin({ ...FIVE, amountMicros: '10000000' }, FIVE)).toBe(false)
  expect(isWithin({ amountMicros: '1', period: 'DAY' }, FIVE)).toBe(false)
})
