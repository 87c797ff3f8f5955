import type { Clock } from './clock/clock.ts'
import { settlesWithin } from './clock/within.ts'
import type { Config } from './config/config.ts'
import type { Log } from './logger/logger.ts'

/** Once its limit has passed, a drain records the calls that it cut off and closes its engines within this time. */
export const AFTER_DRAIN_MS = 5_000

/** The longest time from the signal to the end of the process. */
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
 * The one limit that all steps of a drain share. A step that is stuck on an unresponsive engine is abandoned when the
 * limit passes, so that the process ends. Nothing is lost: calls whose end is not stored are on disk.
 */
export class DrainLimit {
  readonly #options: DrainLimitOptions
  #beganAtMs: number | null = null
  #isExceeded = false

  constructor(options: DrainLimitOptions) {
    this.#options = options
  }

  /** Whether a step was abandoned. */
  get isExceeded(): boolean {
    return this.#isExceeded
  }

  /** Runs a step and tells it how long it may wait for calls. The first step starts the drain. */
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
