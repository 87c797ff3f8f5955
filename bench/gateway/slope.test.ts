import { expect, test } from 'vitest'
import { slope } from './memory.ts'

test('the slope of a line is its rise per step, and scatter around a level has none', () => {
  expect(slope([10, 20, 40].map((x) => [x, 3 * x + 7]))).toBeCloseTo(3)
  expect(slope([1, 2, 3, 4].map((x) => [x, x === 1 || x === 4 ? 100 : 90]))).toBeCloseTo(0)
})
