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
    expect(limitWindows(calls, { from: MINUTE_MS, to: 2 * MINUTE_MS, without: [], aloneTimes: [] })).toEqual([
      { minute: '1970-01-01T00:01:00.000Z', offered: 4, admitted: 2, unknown: 1, alone: [] },
    ])
  })

  test('do not count a call as admitted that may have been admitted in the minute before', () => {
    const straddling = { ...ended(MINUTE_MS + 1, 200), sentAt: MINUTE_MS - 1 }
    const [window] = limitWindows([straddling, ...calls], {
      from: MINUTE_MS,
      to: 2 * MINUTE_MS,
      without: [],
      aloneTimes: [],
    })
    expect(window).toMatchObject({ offered: 5, admitted: 2, unknown: 2 })
  })

  test('are complete minutes only', () => {
    expect(limitWindows(calls, { from: MINUTE_MS + 1, to: 3 * MINUTE_MS - 1, without: [], aloneTimes: [] })).toEqual([])
  })

  test('exclude those in which Redis was down', () => {
    const gap = { from: 2 * MINUTE_MS - 1, to: 2 * MINUTE_MS + 1 }
    expect(
      limitWindows(calls, { from: 0, to: 4 * MINUTE_MS, without: [gap], aloneTimes: [] }).map(({ minute }) => minute),
    ).toEqual(['1970-01-01T00:00:00.000Z', '1970-01-01T00:03:00.000Z'])
  })

  test('count the calls that a gateway may have admitted without Redis', () => {
    const at = (gateway: number, sentAt: number, endedAt: number, status = 200) => ({
      ...ended(endedAt, status),
      gateway,
      sentAt,
    })
    const some = [
      at(0, MINUTE_MS + 10, MINUTE_MS + 30),
      at(0, MINUTE_MS + 40, MINUTE_MS + 50),
      at(0, MINUTE_MS + 20, MINUTE_MS + 25, 429),
      at(1, MINUTE_MS + 20, MINUTE_MS + 25),
      at(0, MINUTE_MS + 60, MINUTE_MS + 70),
    ]
    const aloneTimes = [
      { gateway: 0, from: MINUTE_MS + 20, to: MINUTE_MS + 35 },
      { gateway: 0, from: MINUTE_MS + 36, to: MINUTE_MS + 45 },
      { gateway: 2, from: MINUTE_MS + 80, to: Number.POSITIVE_INFINITY },
      { gateway: 1, from: 0, to: MINUTE_MS },
    ]
    const [window] = limitWindows(some, { from: MINUTE_MS, to: 2 * MINUTE_MS, without: [], aloneTimes })
    expect(window).toMatchObject({ admitted: 4, alone: [2, 0] })
  })
})

describe('a limit of 100 at three gateways', () => {
  const rows: [boolean, number, number, number[]][] = [
    [true, 100, 0, []],
    [false, 101, 0, []],
    [true, 98, 0, []],
    [true, 97, 1, []],
    [false, 97, 0, []],
    [true, 97, 0, [0]],
    [true, 104, 0, [4]],
    [false, 105, 0, [4]],
    [true, 137, 0, [60, 4]],
    [false, 138, 0, [60, 4]],
  ]
  test.each(rows)(
    'held: %s with %i admitted, %i cut and %j admitted without Redis',
    (held, admitted, unknown, alone) => {
      expect(isHeld({ minute: '', offered: 240, admitted, unknown, alone }, 100, 3)).toBe(held)
    },
  )
})
