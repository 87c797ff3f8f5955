import { expect, test } from 'vitest'
import { lastMonth, momentsOf, shownDays, statementSearch } from './statementSearch.ts'

test('invalid days are dropped from the address', () => {
  expect(statementSearch({ from: '2026-02-30', to: '2026-02-28' })).toEqual({ to: '2026-02-28' })
  expect(statementSearch({ from: 'yesterday', to: 5 })).toEqual({})
})

test('without a start, a statement starts with the month of its end', () => {
  expect(shownDays({ to: '2026-02-14' })).toEqual({ from: '2026-02-01', to: '2026-02-14' })
})

test('the last day of a statement is included completely', () => {
  expect(momentsOf({ from: '2026-02-01', to: '2026-02-28' })).toEqual({
    from: '2026-02-01T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
  })
})

test('the month before January is December of the year before', () => {
  expect(lastMonth('2026-01-31')).toEqual({ from: '2025-12-01', to: '2025-12-31' })
})
