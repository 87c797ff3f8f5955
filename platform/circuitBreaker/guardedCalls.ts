import { BREAKER_FAILURES_MAX, type BreakerOptions, type BreakerState, CircuitBreaker } from './circuitBreaker.ts'

export type GuardOptions = BreakerOptions & {
  /** Whether an error means that the service is down. An error that our own request caused does not. */
  readonly isOutage: (error: unknown) => boolean
}

/** The breaker is open, so no call was made. */
export class BreakerOpen extends Error {
  readonly cooldownLeftMs: number

  constructor(cooldownLeftMs: number) {
    const seconds = Math.ceil(cooldownLeftMs / 1000)
    super(
      `its circuit breaker is open after ${BREAKER_FAILURES_MAX} consecutive failures; the next attempt is in ${seconds} s`,
    )
    this.name = 'BreakerOpen'
    this.cooldownLeftMs = cooldownLeftMs
  }
}

/** Promise-returning calls to one service behind its circuit breaker. */
export class GuardedCalls {
  readonly #breaker: CircuitBreaker
  readonly #isOutage: GuardOptions['isOutage']
  /** Resolves when the running probe has ended; null while there is none. */
  #probeEnded: Promise<void> | null = null

  constructor({ isOutage, ...options }: GuardOptions) {
    this.#breaker = new CircuitBreaker(options)
    this.#isOutage = isOutage
  }

  get state(): BreakerState {
    return this.#breaker.state
  }

  get cooldownLeftMs(): number {
    return this.#breaker.cooldownLeftMs
  }

  /** While a probe is running, other calls wait for its outcome: background work does not need a quick refusal. */
  async execute<Result>(call: () => Promise<Result>): Promise<Result> {
    const id = {}
    for (;;) {
      const isProbe = this.#breaker.state !== 'closed'
      if (this.#breaker.tryStart(id)) return isProbe ? this.#runProbe(id, call) : this.#run(id, call)
      if (this.#probeEnded === null) throw new BreakerOpen(this.#breaker.cooldownLeftMs)
      await this.#probeEnded
    }
  }

  async #runProbe<Result>(id: object, call: () => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#probeEnded = promise
    try {
      return await this.#run(id, call)
    } catch (error) {
      // The service answered, even if with a refusal, so it is back.
      if (!this.#isOutage(error)) this.#succeeded(id)
      throw error
    } finally {
      this.#probeEnded = null
      resolve()
    }
  }

  async #run<Result>(id: object, call: () => Promise<Result>): Promise<Result> {
    try {
      const result = await call()
      this.#succeeded(id)
      return result
    } catch (error) {
      if (this.#isOutage(error)) this.#breaker.failed(id)
      throw error
    }
  }

  #succeeded(id: object): void {
    this.#breaker.answered(id)
    this.#breaker.completed()
  }
}
