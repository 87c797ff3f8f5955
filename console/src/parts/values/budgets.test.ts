import { expect, test } from 'vitest'
import { amountFault, budgetDraftOf, budgetIn, isWithin } from './budgets.ts'

test('a budget is read from its fields as it was written into them, and an empty field is no budget', () => {
  const budget = { credits: 0.000001, period: 'DAY' } as const
  expect(budgetIn(budgetDraftOf(budget))).toEqual(budget)
  expect(budgetIn(budgetDraftOf(null))).toBeNull()
  expect(budgetIn({ budget: ' 5 ', period: 'TOTAL' })).toEqual({ credits: 5, period: 'TOTAL' })
})

test('an amount is above zero and has up to six decimals', () => {
  expect(['', '5', ' 0.000001 '].map(amountFault)).toEqual([undefined, undefined, undefined])
  for (const wrong of ['0', '-1', '1e3', '0.0000001', 'much']) expect(amountFault(wrong)).toMatch(/^Enter a number/)
})

test('a budget of another period is never within a maximum', () => {
  const maximum = { credits: 10, period: 'MONTH' } as const
  expect(isWithin({ credits: 10, period: 'MONTH' }, maximum)).toBe(true)
  expect(isWithin({ credits: 10.5, period: 'MONTH' }, maximum)).toBe(false)
  expect(isWithin({ credits: 1, period: 'DAY' }, maximum)).toBe(false)
})
