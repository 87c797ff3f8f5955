import { describe, expect, test } from 'vitest'
import { isHeld, limitWindows } from './keyLimitWindows.ts'
import type { SoakCall } from './steadyLoad.ts'

const MINUTE_MS = 60_000

function ended(endedAt: number, status: number | null): SoakCall {
  return {
    marker: 'a call',
    streamed: false,
    status,
    callId: null,
    whole: status === 200,
    gateway: 0,
    sentAt: endedAt,
    endedAt,
  }
}

describe('the minutes of a limited key', () => {
  const calls = [
    ended(MINUTE_MS + 1, 200),
    ended(MINUTE_MS + 2, 503),
    ended(MINUTE_MS + 3, null),
    ended(2 * MINUTE_MS - 1, 429),
    ended(2 * MINUTE_MS, 200),
  ]

  test('count admitted calls, whatever their outcome, and calls that were cut', () => {
    expect(limitWindows(calls, { from: MINUTE_MS, to: 2 * MINUTE_MS, without: [] })).toEqual([
      { minute: '1970-01-01T00:01:00.000Z', offered: 4, admitted: 2, unknown: 1 },
    ])
  })

  test('are complete minutes only', () => {
    expect(limitWindows(calls, { from: MINUTE_MS + 1, to: 3 * MINUTE_MS - 1, without: [] })).toEqual([])
  })

  test('exclude those in which Redis was down', () => {
    const gap = { from: 2 * MINUTE_MS - 1, to: 2 * MINUTE_MS + 1 }
    expect(limitWindows(calls, { from: 0, to: 4 * MINUTE_MS, without: [gap] }).map(({ minute }) => minute)).toEqual([
      '1970-01-01T00:00:00.000Z',
      '1970-01-01T00:03:00.000Z',
    ])
  })
})

describe('a limit of 100', () => {
  const rows: [boolean, number, number][] = [
    [true, 100, 0],
    [true, 102, 0],
    [true, 98, 0],
    [true, 97, 1],
    [false, 103, 0],
    [false, 97, 0],
  ]
  test.each(rows)('held: %s with %i admitted and %i cut', (held, admitted, unknown) => {
    expect(isHeld({ minute: '', offered: 240, admitted, unknown }, 100)).toBe(held)
  })
})
