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

  /** Fires every timer that falls due, in order, and lets its continuations run before the next one. */
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

  /** Time passes without timers, as if the process were suspended. Due timers fire with the next advance. */
  stall(ms: number): void {
    this.#now += ms
  }

  /** The number of pending timers. */
  get timers(): number {
    return this.#timers.size
  }
}

/** In-memory promises have all settled after one turn of the event loop. */
function settleMicrotasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
