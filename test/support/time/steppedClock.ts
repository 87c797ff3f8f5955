import { type Clock, systemClock } from '../../../platform/clock/clock.ts'

/**
 * Minutes, expiries and price books go by a time that a test moves; delays are real ones, so that whatever waits in a
 * loop for a database goes on.
 */
export type SteppedClock = Clock & { advance(ms: number): void; set(ms: number): void }

export function steppedClock(startMs: number): SteppedClock {
  let now = startMs
  return {
    ...systemClock,
    now: () => now,
    advance: (ms) => {
      now += ms
    },
    set: (ms) => {
      now = ms
    },
  }
}
