import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { nextAttemptMs, WEBHOOK_TRIED_MS } from './retrySchedule.ts'

const HOUR_MS = 60 * 60_000
const ATTEMPTS_MAX = 40

/** The times of all attempts of a message that always fails, with the duration of each, and the delays after them. */
function attemptsOf(deliveryId: string, sinceMs: number, takesMs: readonly number[]) {
  const times = [sinceMs]
  const delays: number[] = []
  for (let attempts = 1; attempts < ATTEMPTS_MAX; attempts++) {
    const nowMs = (times.at(-1) ?? 0) + (takesMs[attempts % takesMs.length] ?? 0)
    const next = nextAttemptMs({ deliveryId, attempts, sinceMs, nowMs })
    if (next === null) return { times, delays }
    times.push(next)
    delays.push(next - nowMs)
  }
  throw new Error('the attempts do not end')
}

const message = fc.record({
  deliveryId: fc.uuid(),
  sinceMs: fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) }),
  takesMs: fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 5 }),
})

test('a failing message is tried for three days, ever less often, and for the last time at the end', () => {
  fc.assert(
    fc.property(message, ({ deliveryId, sinceMs, takesMs }) => {
      const { times, delays } = attemptsOf(deliveryId, sinceMs, takesMs)
      const endMs = sinceMs + WEBHOOK_TRIED_MS
      expect(times.at(-1)).toBeLessThanOrEqual(endMs)
      // An attempt that was running at the end is the last one.
      expect(times.at(-1)).toBeGreaterThanOrEqual(endMs - Math.max(...takesMs))
      expect(times.length).toBeGreaterThan(12)
      expect(times.length).toBeLessThan(25)
      expect(delays[0]).toBeLessThan(7_000)
      expect(Math.max(...delays)).toBeLessThan(10 * HOUR_MS)
      // Until the longest delay, each is longer than the one before, whatever the jitter. The end cuts the last one short.
      const growing = delays.slice(0, -1).filter((delay) => delay < HOUR_MS)
      expect(growing).toEqual(growing.toSorted((a, b) => a - b))
    }),
    { numRuns: propertyRuns({ few: 100, many: 1_000 }) },
  )
})

test('messages that fail together are retried at different times, which never change', () => {
  const at = (deliveryId: string) => nextAttemptMs({ deliveryId, attempts: 5, sinceMs: 0, nowMs: 600_000 })
  const ids = Array.from({ length: 100 }, (_, n) => `delivery ${n}`)
  expect(new Set(ids.map(at)).size).toBeGreaterThan(90)
  expect(ids.map(at)).toEqual(ids.map(at))
})

test('a clock that was set back postpones an attempt by at most the delay', () => {
  const sinceMs = Date.UTC(2026, 0, 1)
  const nowMs = sinceMs - HOUR_MS
  const next = nextAttemptMs({ deliveryId: 'one', attempts: 1, sinceMs, nowMs }) ?? 0
  expect(next - nowMs).toBeLessThan(10_000)
})
