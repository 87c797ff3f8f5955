/** A scheduled callback. Canceling it twice, or after it ran, does nothing. */
export interface Timer {
  cancel(): void
}

/** All time and all timers come in through this port, so that no test waits for a real minute. */
export interface Clock {
  /** Milliseconds since 1970, UTC. The operating system may set this clock back. */
  now(): number
  /** Milliseconds since an arbitrary moment. This clock is never set back, so use it to measure durations. */
  monotonicMs(): number
  /** How long `now` has run without a jump or other doubt, as far as this process knows. Missing in an unwatched clock. */
  steadyMs?(): number
  /** Resolves after the time, or at once when the signal aborts. */
  delay(ms: number, signal?: AbortSignal): Promise<void>
  /** Runs the callback once, after the time. The timer keeps the process alive. */
  after(ms: number, callback: () => void): Timer
  /** Runs the callback repeatedly. The timer does not keep the process alive. */
  every(ms: number, callback: () => void): Timer
}

export const systemClock: Clock = {
  now: Date.now,
  monotonicMs: () => performance.now(),
  // node:timers/promises would create an error with a stack whenever a signal ends the timer.
  delay: (ms, signal) => {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal?.addEventListener('abort', end)
    })
  },
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    return { cancel: () => clearTimeout(timer) }
  },
  every: (ms, callback) => {
    const timer = setInterval(callback, ms).unref()
    return { cancel: () => clearInterval(timer) }
  },
}

export const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/

/** Parses an ISO 8601 time with a zone, or a date; null for anything else. */
export function parseTime(text: string): number | null {
  const ms = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

let lastMs = Number.NaN
let lastText = ''
let lastSecond = Number.NaN
let upToSecond = ''

/** Caches what many calls share: the text of the last millisecond, and that of its second. */
export function isoTime(ms: number): string {
  if (ms === lastMs) return lastText
  const second = Math.floor(ms / 1000)
  if (second !== lastSecond) {
    upToSecond = new Date(second * 1000).toISOString().slice(0, -'000Z'.length)
    lastSecond = second
  }
  const thousandths = Math.trunc(ms - second * 1000)
  lastText = `${upToSecond}${thousandths < 10 ? '00' : thousandths < 100 ? '0' : ''}${thousandths}Z`
  lastMs = ms
  return lastText
}
