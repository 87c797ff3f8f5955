import { expect, test } from 'vitest'
import { relativeTime } from './times.ts'

const NOW_MS = Date.parse('2026-11-19T12:00:00Z')

test.each([
  ['2026-11-19T11:59:10Z', 'just now'],
  ['2026-11-19T12:00:10Z', 'in a moment'],
  ['2026-11-19T11:55:00Z', '5 minutes ago'],
  ['2026-11-19T15:00:00Z', 'in 3 hours'],
  ['2026-11-18T11:00:00Z', 'yesterday'],
  ['2026-10-25T12:00:00Z', '25 days ago'],
  ['2026-10-15T12:00:00Z', '1 month ago'],
  ['2026-03-01T12:00:00Z', '8 months ago'],
  ['2099-01-01T00:00:00Z', 'in 72 years'],
])('%s is %s', (at, words) => {
  expect(relativeTime(at, NOW_MS)).toBe(words)
})
