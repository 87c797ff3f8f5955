import type { Clock } from '../../../platform/clock/clock.ts'
import { systemClock } from '../../../platform/clock/clock.ts'

/** The time of a life, which moves only when the life says so. Nothing in it waits for a timer. */
export class LifeClock implements Clock {
  nowMs: number

  constructor(nowMs: number) {
    this.nowMs = nowMs
  }

  now = (): number => this.nowMs
  monotonicMs = (): number => this.nowMs
  delay = systemClock.delay
  after = systemClock.after
  every = systemClock.every
}
