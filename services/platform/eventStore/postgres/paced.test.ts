import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Paced } from './paced.ts'

const EVERY_MS = 10
let done: number
let paced: Paced

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  done = 0
  paced = new Paced(EVERY_MS, () => done++)
})
afterEach(() => vi.useRealTimers())

test('the first time after a quiet one is at once', () => {
  paced.soon()
  expect(done).toBe(1)
  vi.advanceTimersByTime(EVERY_MS)
  paced.soon()
  expect(done).toBe(2)
})

test('what is asked for meanwhile is done once, when the time is over', () => {
  for (let n = 0; n < 100; n++) paced.soon()
  expect(done).toBe(1)
  vi.advanceTimersByTime(EVERY_MS - 1)
  expect(done).toBe(1)
  vi.advanceTimersByTime(1)
  expect(done).toBe(2)
  vi.advanceTimersByTime(10 * EVERY_MS)
  expect(done).toBe(2)
})

test('nothing is done once it is stopped', () => {
  paced.soon()
  paced.soon()
  paced.stop()
  vi.advanceTimersByTime(EVERY_MS)
  expect(done).toBe(1)
})
