import { expect, test } from 'vitest'
import { fieldsOf, LINES_MAX, type LogEntry, type LogLine, matches, received } from './logLines.ts'

const ENTRY: LogEntry = {
  timestamp: '2026-01-01T00:00:00.000Z',
  level: 'warn',
  message: 'circuit breaker opened',
  context: { service: 'gateway', provider: 'acme', attempts: 3 },
}

test('entries are kept with the newest first, up to a limit', () => {
  let lines: readonly LogLine[] = []
  for (let n = 0; n < LINES_MAX + 2; n++) lines = received(lines, ENTRY)
  expect(lines).toHaveLength(LINES_MAX)
  expect(lines[0]?.number).toBe(LINES_MAX + 2)
  expect(new Set(lines.map(({ number }) => number)).size).toBe(LINES_MAX)
})

test('the filter finds text in messages and fields at or above the level', () => {
  expect(matches(ENTRY, { level: 'warn', text: 'BREAKER' })).toBe(true)
  expect(matches(ENTRY, { level: 'info', text: 'acme' })).toBe(true)
  expect(matches(ENTRY, { level: 'info', text: 'other' })).toBe(false)
  expect(matches(ENTRY, { level: 'error', text: '' })).toBe(false)
  expect(matches({ ...ENTRY, level: 'fatal' }, { level: 'error', text: '' })).toBe(true)
})

test('the fields of an entry are shown without its service', () => {
  expect(fieldsOf(ENTRY)).toBe('provider=acme attempts=3')
})
