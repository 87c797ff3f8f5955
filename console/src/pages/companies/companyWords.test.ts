import { expect, test } from 'vitest'
import { adjustmentFaults, figuresOf, grantFaults, isCreditLimit } from './companyWords.ts'

test("a company's figures sum its usage exactly and list only overdue invoices", () => {
  const nodes = [
    { requests: 2, amountMicros: '9007199254740993' },
    { requests: 1, amountMicros: '1' },
  ]
  const invoices = [
    { id: 'a', amount: 10, currency: 'eur', overdue: true },
    { id: 'b', amount: 20, currency: 'eur', overdue: false },
  ]
  const figures = figuresOf({ creditBalance: { amountMicros: '-5' }, usage: { nodes }, invoices })
  expect(figures.balanceMicros).toBe(-5n)
  expect(figures.spentMicros).toBe(9007199254740994n)
  expect(figures.calls).toBe(3)
  expect(figures.overdue.map(({ id }) => id)).toEqual(['a'])
})

test('an adjustment needs a reason and an amount other than zero with at most six decimals', () => {
  expect(adjustmentFaults('-12.5', 'wrong invoice')).toEqual({})
  expect(Object.keys(adjustmentFaults('', ' '))).toEqual(['credits', 'reason'])
  for (const credits of ['0', '-0.0', '1.0000001', '1e3', 'ten', '1,5'])
    expect(Object.keys(adjustmentFaults(credits, 'r'))).toEqual(['credits'])
})

test('a grant needs a reason and an amount above zero, and expires in the future or never', () => {
  const nowMs = Date.parse('2026-03-01T10:00:00.000Z')
  const grant = { credits: '12.5', reason: 'welcome', expires: '' }
  expect(grantFaults(grant, nowMs)).toEqual({})
  expect(grantFaults({ ...grant, expires: '2026-03-01T10:00:01.000Z' }, nowMs)).toEqual({})
  for (const credits of ['', '0', '-1', '1.0000001', '1e3'])
    expect(Object.keys(grantFaults({ ...grant, credits, reason: '' }, nowMs))).toEqual(['credits', 'reason'])
  for (const expires of ['2026-03-01T10:00:00.000Z', 'soon'])
    expect(Object.keys(grantFaults({ ...grant, expires }, nowMs))).toEqual(['expires'])
})

test('a credit limit is empty or a number of credits above 0', () => {
  for (const text of ['', ' ', '0.5', '100']) expect(isCreditLimit(text)).toBe(true)
  for (const text of ['0', '-5', '1e3', '0.1234567', 'none']) expect(isCreditLimit(text)).toBe(false)
})
