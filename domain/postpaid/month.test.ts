import { expect, test } from 'vitest'
import { monthAfter, monthBefore, monthsToClose } from './month.ts'

const at = (day: string) => `${day}T00:00:00.000Z`
const period = (since: string, lastClosed: string | null = null, until: string | null = null) => ({
  since: at(since),
  until: until && at(until),
  lastClosed,
})

test('the month after December is January, and February follows it', () => {
  expect(monthAfter('2026-12')).toBe('2027-01')
  expect(monthAfter('2027-01')).toBe('2027-02')
  expect(monthAfter('2028-02')).toBe('2028-03')
  expect(monthBefore('2027-01')).toBe('2026-12')
})

test('a month is closed from its end on, and not before', () => {
  expect(monthsToClose(period('2026-02-10'), '2026-02-28T23:59:59.999Z')).toEqual([])
  expect(monthsToClose(period('2026-02-10'), at('2026-03-01'))).toEqual(['2026-02'])
  expect(monthsToClose(period('2028-02-10'), '2028-02-29T23:59:59.999Z')).toEqual([])
})

test('months that passed while no reactor ran are closed in order', () => {
  expect(monthsToClose(period('2026-01-05', '2026-01'), at('2026-05-02'))).toEqual(['2026-02', '2026-03', '2026-04'])
})

test('nothing is closed twice, even if the clock is set back', () => {
  expect(monthsToClose(period('2026-01-05', '2026-04'), at('2026-05-02'))).toEqual([])
  expect(monthsToClose(period('2026-01-05', '2026-04'), at('2026-02-02'))).toEqual([])
})

test('the month in which a company left POSTPAID is the last one', () => {
  expect(monthsToClose(period('2026-01-05', '2026-01', '2026-03-03'), at('2026-06-01'))).toEqual(['2026-02', '2026-03'])
  expect(monthsToClose(period('2026-01-05', '2026-03', '2026-03-03'), at('2026-06-01'))).toEqual([])
})

test('a company that returned to POSTPAID starts with that month', () => {
  expect(monthsToClose(period('2026-05-20', '2026-01'), at('2026-06-01'))).toEqual(['2026-05'])
})

test('a company that was neglected for centuries is closed in portions', () => {
  expect(monthsToClose(period('0001-01-01'), at('2026-06-01'))).toHaveLength(120)
})
