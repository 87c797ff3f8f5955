import { expect, test } from 'vitest'
import { delayMs } from './systemStats.ts'

test.each([
  ['the loop was looked at when it should be', 50e6, 0],
  ['a little too early', 49.2e6, 0],
  ['too late', 62.5e6, 12.5],
  ['not yet', Number.NaN, 0],
])('the delay of the event loop: %s', (_, betweenLooksNs, expected) => {
  expect(delayMs(betweenLooksNs)).toBe(expected)
})
