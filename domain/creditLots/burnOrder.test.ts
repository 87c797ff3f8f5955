import { describe, expect, test } from 'vitest'
import { burnOrder, isValidAt, priorityOf } from './burnOrder.ts'

const lot = (name: string, age: number, { priority = 0, expiresAtMs = null as number | null } = {}) => ({
  ...{ name, age, priority, expiresAtMs },
})
const names = (lots: readonly { readonly name: string }[]) => lots.map(({ name }) => name)

describe('a call burns', () => {
  test('the lot with the highest priority first, however long it is valid', () => {
    const lots = [lot('soon', 0, { expiresAtMs: 9 }), lot('gift', 1, { priority: 1 })]
    expect(names(burnOrder(lots, 1))).toEqual(['gift', 'soon'])
  })

  test('of one priority, the lot that expires first, and those without expiry last', () => {
    const lots = [lot('forever', 0), lot('late', 1, { expiresAtMs: 12 }), lot('soon', 2, { expiresAtMs: 9 })]
    expect(names(burnOrder(lots, 1))).toEqual(['soon', 'late', 'forever'])
  })

  test('of lots that expire together, the oldest first', () => {
    const lots = [lot('newer', 2, { expiresAtMs: 9 }), lot('old', 1, { expiresAtMs: 9 }), lot('newest', 3)]
    expect(names(burnOrder([...lots, lot('ancient', 0)], 1))).toEqual(['old', 'newer', 'ancient', 'newest'])
  })

  test('no lot whose time had passed when it was admitted', () => {
    const lots = [lot('soon', 0, { expiresAtMs: 9 }), lot('forever', 1)]
    expect([8, 9, 10].map((at) => names(burnOrder(lots, at)))).toEqual([['soon', 'forever'], ['forever'], ['forever']])
  })
})

test('a lot is valid until the millisecond of its expiry', () => {
  expect([8, 9].map((at) => isValidAt({ expiresAtMs: 9 }, at))).toEqual([true, false])
  expect(isValidAt({ expiresAtMs: null }, Number.MAX_SAFE_INTEGER)).toBe(true)
})

test('promotional lots have the highest priority', () => {
  const others = (['SUBSCRIPTION', 'PACK_PURCHASE', 'ADJUSTMENT', 'SETTLEMENT'] as const).map(priorityOf)
  expect(Math.max(...others)).toBeLessThan(priorityOf('PROMOTION'))
})
