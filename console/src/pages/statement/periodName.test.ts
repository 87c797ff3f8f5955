import { expect, test } from 'vitest'
import { periodName } from './periodName.ts'

test.each([
  ['2026-11-01', '2026-11-17', '1–17 November 2026'],
  ['2026-11-01', '2026-11-30', 'November 2026'],
  ['2024-02-01', '2024-02-29', 'February 2024'],
  ['2024-02-01', '2024-03-31', '1 February–31 March 2024'],
  ['2026-11-17', '2026-11-17', '17 November 2026'],
])('from %s to %s is %s', (from, to, name) => {
  // Versions of ICU differ in the spaces around a dash.
  expect(periodName({ from, to }, 'en-GB').replaceAll(/\s*–\s*/g, '–')).toBe(name)
})
