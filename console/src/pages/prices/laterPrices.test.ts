import { expect, test } from 'vitest'
import { laterPrices, msUntilNextBook } from './laterPrices.ts'

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

test('prices change with the next book of the company or of all companies', () => {
  const until = (companyId: string | null, now: string) => msUntilNextBook(BOOKS, companyId, Date.parse(now))
  expect(until('acme', day(2))).toBe(Date.parse(day(3)) - Date.parse(day(2)))
  expect(until(null, day(2))).toBe(Date.parse(day(5)) - Date.parse(day(2)))
  expect(until(null, day(7))).toBeNull()
})
