import type { Clock } from './clock/clock.ts'
import { settlesWithin } from './clock/within.ts'
import type { Config } from './config/config.ts'
import type { Log } from './logger/logger.ts'

/** After its limit, a drain records the calls that it cut and closes its engines within this time. */
export const AFTER_DRAIN_MS = 5_000

/** How long a process takes at most from the signal to its end. */
export function drainMsMax({ DRAIN_DELAY_MS, DRAIN_TIMEOUT_MS }: DrainConfig): number {
  return DRAIN_DELAY_MS + DRAIN_TIMEOUT_MS + AFTER_DRAIN_MS
}

type DrainConfig = Pick<Config, 'DRAIN_DELAY_MS' | 'DRAIN_TIMEOUT_MS'>

export type DrainLimitOptions = {
  readonly config: DrainConfig
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
}

/**
 * The one limit of all steps of a drain. A step that an engine holds up, because it does not answer, is left behind when the
 * time of the whole drain is over, so that the process ends. Nothing is lost by it: calls whose end is not stored are on disk.
 */
export class DrainLimit {
  readonly #options: DrainLimitOptions
  #beganAtMs: number | null = null
  #isExceeded = false

  constructor(options: DrainLimitOptions) {
    this.#options = options
  }

  /** Whether a step was left behind. */
  get isExceeded(): boolean {
    return this.#isExceeded
  }

  /** Runs a step, which may wait for calls for the time that it is given. The first step begins the drain. */
  async step(name: string, run: (timeoutMs: number) => Promise<void>): Promise<void> {
    const { config, clock, log } = this.#options
    this.#beganAtMs ??= clock.monotonicMs()
    const elapsedMs = clock.monotonicMs() - this.#beganAtMs
    const timeoutMs = Math.max(0, Math.min(config.DRAIN_TIMEOUT_MS, drainMsMax(config) - AFTER_DRAIN_MS - elapsedMs))
    if (await settlesWithin(run(timeoutMs), Math.max(0, drainMsMax(config) - elapsedMs), clock)) return
    this.#isExceeded = true
    log.error({ step: name, seconds: drainMsMax(config) / 1000 }, 'the drain took too long and left a step behind')
  }
}
