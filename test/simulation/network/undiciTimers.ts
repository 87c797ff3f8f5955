import { createRequire } from 'node:module'

type Timer = ReturnType<typeof setTimeout>

/**
 * undici drives the time-outs of all its connections by one timer of a module. It would belong to the process that
 * happened to start it, and stop when that one is killed. Here each time-out is a timer of its own process.
 */
export function installUndiciTimers(): void {
  const timers = createRequire(import.meta.url)('undici/lib/util/timers.js') as Record<string, unknown>
  const start = (callback: (value: unknown) => void, delayMs: number, value: unknown): Timer =>
    setTimeout(() => callback(value), delayMs)
  const stop = (timer: Timer): void => clearTimeout(timer)
  for (const name of ['setTimeout', 'setFastTimeout', 'clearTimeout', 'clearFastTimeout']) {
    if (typeof timers[name] !== 'function') throw new Error(`undici has no timer function ${name} any more`)
    timers[name] = name.startsWith('set') ? start : stop
  }
}
