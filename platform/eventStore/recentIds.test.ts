import { expect, test } from 'vitest'
import { RecentIds } from './recentIds.ts'

test('an id is recognised until half the limit came after it, and no more ids than the limit are kept', () => {
  const ids = new RecentIds(100)
  for (let n = 0; n < 1_000; n++) {
    expect(ids.isRepeated(`id ${n}`)).toBe(false)
    expect(ids.size).toBeLessThanOrEqual(100)
    expect(ids.isRepeated(`id ${Math.max(0, n - 49)}`)).toBe(true)
  }
  expect(ids.isRepeated('id 0')).toBe(false)
})
