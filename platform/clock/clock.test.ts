import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { isoTime, systemClock } from './clock.ts'

const HOUR_MS = 3_600_000

describe('a delay of the system clock', () => {
  test('ends after its time and removes its listener from the signal', async () => {
    const { signal } = new AbortController()
    await systemClock.delay(1, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('ends at once when the signal aborts, whatever the reason', async () => {
    for (const reason of [undefined, 'not needed any more']) {
      const ending = new AbortController()
      const delay = systemClock.delay(HOUR_MS, ending.signal)
      ending.abort(reason)
      await delay
      expect(getEventListeners(ending.signal, 'abort')).toEqual([])
    }
  })

  test('does not start if the signal has already aborted', async () => {
    await systemClock.delay(HOUR_MS, AbortSignal.abort())
  })
})

test('an ISO time is that of Date, whatever time was asked for before', () => {
  const moments = [0, 1, 9, 10, 99, 100, 999, 1_000, -1, -1_001, 951_782_399_999, 951_782_400_000, 4_102_444_800_007]
  for (const before of moments) {
    for (const ms of moments) {
      isoTime(before)
      expect(isoTime(ms)).toBe(new Date(ms).toISOString())
    }
  }
  expect(() => isoTime(Number.NaN)).toThrow(RangeError)
})
