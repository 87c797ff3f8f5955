import type { Clock } from '../clock/clock.ts'
import { RunningTime } from '../clock/runningTime.ts'

/** When the store has answered no append for this long, calls that would add one are refused. */
export const APPENDS_SILENT_MS = 2_000
/** Calls are also refused when more than APPENDS_SLOW_MAX appends wait and the oldest has waited for APPENDS_SLOW_MS. */
export const APPENDS_SLOW_MAX = 200
export const APPENDS_SLOW_MS = 5_000

/**
 * Detects that the store does not keep up with appends, when every new append would slow its recovery. An append that
 * is pursued after its caller got an answer does not count, because it may fail for other reasons. Neither does time in
 * which this process was stopped: the answers may be there but not read yet.
 */
export class AppendsUnderWay {
  readonly #clock: Clock
  readonly #running: RunningTime
  /** When each append started, in running time, oldest first. */
  readonly #waiting = new Set<{ readonly sinceMs: number }>()
  #answeredAtRunningMs = Number.NEGATIVE_INFINITY
  #answeredAtMs = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
    this.#running = new RunningTime(clock, () => this.#waiting.size > 0)
  }

  begin(): () => void {
    this.#running.start()
    const append = { sinceMs: this.#running.ms }
    this.#waiting.add(append)
    return () => this.#waiting.delete(append)
  }

  /** The store has accepted or refused an append. */
  answered(): void {
    this.#answeredAtRunningMs = this.#running.ms
    this.#answeredAtMs = this.#clock.monotonicMs()
  }

  /** When the store last answered, in monotonic milliseconds. */
  get answeredAtMs(): number {
    return this.#answeredAtMs
  }

  /** The store is silent, or it is slow and many appends wait. A single append may be slow for its own reasons. */
  get isHeldUp(): boolean {
    const [oldest] = this.#waiting
    if (!oldest) return false
    const nowMs = this.#running.ms
    if (nowMs - Math.max(oldest.sinceMs, this.#answeredAtRunningMs) > APPENDS_SILENT_MS) return true
    return nowMs - oldest.sinceMs > APPENDS_SLOW_MS && this.#waiting.size > APPENDS_SLOW_MAX
  }
}
