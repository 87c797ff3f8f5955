import timersPromises from 'node:timers/promises'
import { promisify } from 'node:util'
import { currentProcess, currentRun } from './currentRun.ts'
import type { Step } from './scheduler.ts'

class SimulatedTimer {
  readonly #callback: () => void
  readonly #delayMs: number
  readonly #isRepeated: boolean
  readonly #label: string
  #step: Step | null = null

  constructor(callback: () => void, delayMs: number, label: string, isRepeated = false) {
    this.#callback = callback
    this.#delayMs = Number.isFinite(delayMs) && delayMs > 1 ? delayMs : label === 'immediate' ? 0 : 1
    this.#label = label
    this.#isRepeated = isRepeated
    this.refresh()
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }

  refresh(): this {
    this.close()
    const run = currentRun()
    // The database sets timers only for its statistics and for time-outs of locks that nobody waits for here.
    if (run === null || run.isDatabase) return this
    const owner = currentProcess()
    const lane = this.#label === 'immediate' ? owner?.immediates : undefined
    this.#step = run.scheduler.schedule(
      { owner, label: this.#label, delayMs: this.#delayMs, ...(lane && { lane }) },
      () => {
        this.#step = null
        if (this.#isRepeated) this.refresh()
        this.#callback()
      },
    )
    return this
  }

  close(): this {
    if (this.#step) this.#step.isCanceled = true
    this.#step = null
    return this
  }

  [Symbol.dispose](): void {
    this.close()
  }

  [Symbol.toPrimitive](): number {
    return 0
  }
}

type Callback = (...values: unknown[]) => void

/** Timers never fire before the first run. Those of `node:timers` stay, because Node itself uses them. */
export function installTimers(): void {
  const clear = (timer: unknown) => {
    if (timer instanceof SimulatedTimer) timer.close()
  }
  const start =
    (label: string, isRepeated: boolean) =>
    (callback: Callback, ms?: number, ...values: unknown[]) =>
      new SimulatedTimer(() => callback(...values), ms ?? 0, label, isRepeated)
  const immediate = (callback: Callback, ...values: unknown[]) =>
    new SimulatedTimer(() => callback(...values), 0, 'immediate')
  const later = (ms?: number, value?: unknown) =>
    new Promise((resolve) => new SimulatedTimer(() => resolve(value), ms ?? 0, 'timer'))
  const soon = (value?: unknown) => new Promise((resolve) => new SimulatedTimer(() => resolve(value), 0, 'immediate'))
  const timers = {
    setTimeout: Object.assign(start('timer', false), { [promisify.custom]: later }),
    setInterval: start('interval', true),
    setImmediate: Object.assign(immediate, { [promisify.custom]: soon }),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  }
  Object.assign(globalThis, timers)
  Object.assign(timersPromises, { setTimeout: later, setImmediate: soon })
}
