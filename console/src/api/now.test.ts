import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DAY_MS, lastDays, noteServerTime, nowMs, utcDayStart } from './now.ts'

const BROWSER_MS = Date.UTC(2026, 10, 17, 23, 59)

beforeEach(() => {
  vi.useFakeTimers({ now: BROWSER_MS })
})
afterEach(() => {
  noteServerTime(new Date(BROWSER_MS).toISOString(), BROWSER_MS, BROWSER_MS)
  vi.useRealTimers()
})

test("days follow the server's clock, not the browser's", () => {
  expect(utcDayStart(0)).toBe('2026-11-17T00:00:00.000Z')
  noteServerTime('2026-10-03T10:00:00.000Z', BROWSER_MS, BROWSER_MS)
  expect(utcDayStart(0)).toBe('2026-10-03T00:00:00.000Z')
  expect(lastDays(30)).toEqual({ from: '2026-09-04T00:00:00.000Z', to: '2026-10-04T00:00:00.000Z' })
  vi.setSystemTime(BROWSER_MS + DAY_MS)
  expect(utcDayStart(0)).toBe('2026-10-04T00:00:00.000Z')
})

test("the server's time is assumed to be read midway between request and answer", () => {
  noteServerTime(new Date(BROWSER_MS + 500).toISOString(), BROWSER_MS, BROWSER_MS + 1_000)
  expect(nowMs()).toBe(BROWSER_MS)
})

test('an answer without a time leaves the clock unchanged', () => {
  noteServerTime('soon', BROWSER_MS, BROWSER_MS)
  expect(nowMs()).toBe(BROWSER_MS)
})
