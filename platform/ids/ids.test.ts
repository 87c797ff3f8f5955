import { expect, test } from 'vitest'
import { systemIds } from './ids.ts'

const ids = Array.from({ length: 1_000 }, () => systemIds.timeOrderedUuid())

test('the id of a call begins with the time, so that it is stored next to those of the same time', () => {
  const now = Date.now()
  for (const id of ids) {
    const atMs = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
    expect(Math.abs(now - atMs)).toBeLessThan(60_000)
  }
})

test('the last digits of an id are random, because they choose among weighted providers', () => {
  const halves = ids.map((id) => (Number.parseInt(id.slice(-8), 16) < 2 ** 31 ? 'lower' : 'upper'))
  const lower = halves.filter((half) => half === 'lower').length
  // Fewer than 350 or more than 650 heads in 1,000 fair coin tosses occur less than once in 10^20 times.
  expect(lower).toBeGreaterThan(350)
  expect(lower).toBeLessThan(650)
  expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(ids.length)
})
