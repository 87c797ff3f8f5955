import type { Clock, Timer } from '../../../platform/clock/clock.ts'

type Due = { readonly dueAt: number; readonly ring: () => void }

/** Time stands still until a test moves it. */
export class ManualClock implements Clock {
  #now: number
  readonly #startedAt: number
  readonly #timers = new Set<Due>()

  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#now = startMs
    this.#startedAt = startMs
  }

  now(): number {
    return this.#now
  }

  delay(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const ring = () => {
        this.#timers.delete(timer)
        signal?.removeEventListener('abort', ring)
        resolve()
      }
      const timer = { dueAt: this.#now + ms, ring }
      this.#timers.add(timer)
      signal?.addEventListener('abort', ring)
    })
  }

  /** Starts at 0 with the clock, and moves with it. */
  monotonicMs(): number {
    return this.#now - this.#startedAt
  }

  after(ms: number, callback: () => void): Timer {
    const timer: Due = {
      dueAt: this.#now + ms,
      ring: () => {
        this.#timers.delete(timer)
        callback()
      },
    }
    this.#timers.add(timer)
    return { cancel: () => this.#timers.delete(timer) }
  }

  every(ms: number, callback: () => void): Timer {
    let next: Timer
    const arm = () => {
      next = this.after(ms, () => {
        arm()
        callback()
      })
    }
    arm()
    return { cancel: () => next.cancel() }
  }

  /** Rings every timer that falls due, in its order, and lets what it woke run before the next moment. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    await settleMicrotasks()
    for (;;) {
      const next = Math.min(...[...this.#timers].map((timer) => timer.dueAt))
      if (next > until) break
      this.#now = Math.max(this.#now, next)
      for (const timer of [...this.#timers]) if (timer.dueAt === next) timer.ring()
      await settleMicrotasks()
    }
    this.#now = until
  }

  /** Time passes and no timer rings, as if the process had been stopped. Those that fall due ring with the next advance. */
  stall(ms: number): void {
    this.#now += ms
  }

  /** The number of timers that have not rung yet. */
  get timers(): number {
    return this.#timers.size
  }
}

/** Promises of things in memory have all settled when the event loop comes round. */
function settleMicrotasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
