import { describe, expect, test } from 'vitest'
import { lagFigures, percentile } from './lagFigures.ts'

const hundred = (ms: number) => Array.from({ length: 100 }, () => ms)
const judged = (bareMs: number, rowsMs: number) =>
  lagFigures('here', hundred(bareMs), { appends: hundred(bareMs), rows: hundred(rowsMs) }, 250).at(-1)

describe('the bound on the lag', () => {
  test('is in milliseconds if the bare append is fast', () => {
    expect(judged(19, 250)).toMatchObject({ bound: '≤ 250 ms', met: true })
    expect(judged(2, 251)).toMatchObject({ bound: '≤ 250 ms', met: false })
  })

  test('is a ratio to the bare append if that is slow', () => {
    expect(judged(40, 500)).toMatchObject({ bound: 'ratio ≤ 12.5', met: true })
    expect(judged(20, 251)).toMatchObject({ bound: 'ratio ≤ 12.5', met: false })
  })
})

test('a percentile is one of the samples, in any order', () => {
  const times = Array.from({ length: 200 }, (_, n) => 200 - n)
  expect(percentile(times, 50)).toBe(100)
  expect(percentile(times, 99)).toBe(198)
  expect(percentile([7], 99)).toBe(7)
})
