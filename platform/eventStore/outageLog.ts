import type { Clock } from '../clock/clock.ts'
import type { Log } from '../logger/logger.ts'

const REMINDER_MS = 60_000

export type OutageLogOptions = {
  readonly clock: Clock
  readonly log: Log
  /** What is unavailable, and the consequence of that. */
  readonly what: string
  readonly meanwhile: string
}

/** Logs an outage when it begins, once a minute and when it ends, however many attempts fail in between. */
export class OutageLog {
  readonly #options: OutageLogOptions
  #beganAtMs: number | null = null
  #loggedAtMs = 0

  constructor(options: OutageLogOptions) {
    this.#options = options
  }

  failed(error: unknown): void {
    const { clock, log, what, meanwhile } = this.#options
    const now = clock.monotonicMs()
    if (this.#beganAtMs === null) {
      this.#beganAtMs = now
      log.warn({ err: error }, `the ${what} does not answer: ${meanwhile}`)
    } else if (now - this.#loggedAtMs >= REMINDER_MS) {
      log.warn({ err: error, outageMs: now - this.#beganAtMs }, `the ${what} still does not answer: ${meanwhile}`)
    } else return
    this.#loggedAtMs = now
  }

  answered(): void {
    if (this.#beganAtMs === null) return
    const { clock, log, what } = this.#options
    log.info({ outageMs: clock.monotonicMs() - this.#beganAtMs }, `the ${what} answers again`)
    this.#beganAtMs = null
  }
}
