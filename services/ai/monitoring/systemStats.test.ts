import { expect, test } from 'vitest'
import { delayMs } from './systemStats.ts'

test.each([
  ['a sample on time', 50e6, 0],
  ['a sample slightly early', 49.2e6, 0],
  ['a late sample', 62.5e6, 12.5],
  ['no sample yet', Number.NaN, 0],
])('the event loop delay of %s', (_, betweenSamplesNs, expected) => {
  expect(delayMs(betweenSamplesNs)).toBe(expected)
})
