import { expect, test } from 'vitest'
import { CLAIM_RENEWAL_MS } from '../../../capabilities/answerStore/answerStore.ts'
import { CLAIM_SILENCE_MS, LOOK_GAP_MS_MAX, SilenceWatch } from './silenceWatch.ts'

const CALLER_WAITS_MS_MAX = 3_000
const lease = (renewals = 0, holder = 'a') => ({ holder, leasedTo: `renewed ${renewals} times` })

/** Polls like a waiting request, at least every second; returns when it finds the holder silent. */
function silentAt(
  watch: SilenceWatch,
  leaseAt: (ms: number) => ReturnType<typeof lease>,
  msMax: number,
): number | null {
  let pauseMs = 25
  for (let ms = 0; ms <= msMax; ms += watch.pauseMs(pauseMs)) {
    if (watch.look(leaseAt(ms), ms)) return ms
    pauseMs = Math.min(2 * pauseMs, 1_000)
  }
  return null
}

test('a holder that died is found silent in less than three seconds', () => {
  for (const diedAtMs of [-60_000, 0, 100, 399]) {
    const renewedUntil = (ms: number) => lease(Math.floor(Math.min(ms, diedAtMs) / CLAIM_RENEWAL_MS))
    expect(silentAt(new SilenceWatch(), renewedUntil, 60_000)).toBeLessThan(CALLER_WAITS_MS_MAX)
  }
})

test('a holder that renews its claim is never silent, even if it misses four renewals in a row', () => {
  const every = (renewalMs: number) => (ms: number) => lease(Math.floor(ms / renewalMs))
  for (const renewals of [1, 2, 5]) {
    expect(silentAt(new SilenceWatch(), every(renewals * CLAIM_RENEWAL_MS), 60_000)).toBeNull()
  }
})

test('a new holder is not silent because the previous one was', () => {
  const watch = new SilenceWatch()
  expect(silentAt(watch, (ms) => lease(0, ms < 2_000 ? 'a' : 'b'), 3_000)).toBeNull()
})

test('polls that were answered late prove nothing', () => {
  const watch = new SilenceWatch()
  watch.look(lease(), 0)
  expect(watch.look(lease(), LOOK_GAP_MS_MAX + 1_000)).toBe(false)
  expect(watch.look(lease(), 2 * LOOK_GAP_MS_MAX + 2_000)).toBe(false)
  const beganMs = 10_000
  watch.look(lease(), beganMs)
  expect(watch.look(lease(), beganMs + 1_200)).toBe(false)
  expect(watch.look(lease(), beganMs + CLAIM_SILENCE_MS)).toBe(true)
})
