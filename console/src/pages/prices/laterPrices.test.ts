import { expect, test } from 'vitest'
import { laterPrices, msUntilPricesChange } from './laterPrices.ts'

const day = (n: number) => `2026-03-0${n}T00:00:00.000Z`
const book = (n: number, aliases: readonly string[], companyId: string | null = null) => ({
  ...{ companyId, effectiveFrom: day(n), prices: aliases.map((alias) => ({ alias })) },
})
const BOOKS = [book(7, ['a', 'b']), book(5, ['a']), book(3, ['b'], 'acme'), book(1, ['c'])]
const shown = (companyId: string | null, now: string) =>
  laterPrices(BOOKS, { aliases: ['a', 'b', 'c'], companyId, nowMs: Date.parse(now) }).map(
    ({ alias, from }) => `${alias} ${from}`,
  )

test("an alias's price begins with the next book that names it", () => {
  expect(shown(null, day(2))).toEqual([`a ${day(5)}`, `b ${day(7)}`])
})

test("a company's own book counts for that company only", () => {
  expect(shown('acme', day(2))).toEqual([`b ${day(3)}`, `a ${day(5)}`])
  expect(shown('other', day(2))).toEqual([`a ${day(5)}`, `b ${day(7)}`])
})

test('a book that is already in force is not listed', () => {
  expect(shown(null, day(7))).toEqual([])
  expect(shown(null, day(5))).toEqual([`a ${day(7)}`, `b ${day(7)}`])
})

const wait = (companyId: string | null, now: string, afterMs: number) =>
  msUntilPricesChange(BOOKS, companyId, Date.parse(now) + afterMs)

test('shortly before a book of the company or of all companies begins, prices are read again when it does', () => {
  expect(wait('acme', day(3), -5_000)).toBe(5_500)
  expect(wait(null, day(3), -5_000)).toBe(false)
  expect(wait('acme', day(5), -5_000)).toBe(5_500)
})

test('for a minute after a book began, prices are read again, in case the clock of the server is behind', () => {
  expect(wait(null, day(5), 0)).toBe(2_000)
  expect(wait(null, day(5), 59_000)).toBe(2_000)
  expect(wait(null, day(5), 60_000)).toBe(false)
})

test('a change that is far away is not waited for', () => {
  expect(wait(null, day(5), -60_000)).toBe(false)
})
