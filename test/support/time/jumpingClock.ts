import { type Clock, systemClock, type Timer } from '../../../platform/clock/clock.ts'

/** Real time that jumps ahead when the test says so. */
export type JumpingClock = Clock & { jump(ms: number): void }

type Due = { readonly dueMs: number; readonly ring: () => void }

/** A jump fires the timers that fall due in it. A repeating timer fires once and keeps its interval. */
export function jumpingClock(): JumpingClock {
  let aheadMs = 0
  const waiting = new Set<Due>()
  const monotonicMs = () => systemClock.monotonicMs() + aheadMs
  const after = (ms: number, callback: () => void): Timer => {
    const cancel = () => {
      waiting.delete(due)
      timer.cancel()
    }
    const ring = () => {
      cancel()
      callback()
    }
    const due = { dueMs: monotonicMs() + ms, ring }
    const timer = systemClock.after(ms, ring)
    waiting.add(due)
    return { cancel }
  }
  return {
    now: () => systemClock.now() + aheadMs,
    monotonicMs,
    after,
    every: (ms, callback) => {
      const timer = systemClock.every(ms, callback)
      const due = { dueMs: 0, ring: callback }
      waiting.add(due)
      const cancel = () => {
        waiting.delete(due)
        timer.cancel()
      }
      return { cancel }
    },
    delay: (ms, signal) => {
      if (signal?.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const end = () => {
          timer.cancel()
          signal?.removeEventListener('abort', end)
          resolve()
        }
        const timer = after(ms, end)
        signal?.addEventListener('abort', end)
      })
    },
    jump: (ms) => {
      aheadMs += ms
      const nowMs = monotonicMs()
      for (const { dueMs, ring } of [...waiting].sort((one, other) => one.dueMs - other.dueMs)) {
        if (dueMs <= nowMs) ring()
      }
    },
  }
}
