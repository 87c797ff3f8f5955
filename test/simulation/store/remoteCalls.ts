import type { Random } from '../scheduler/random.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'

const DELAY_MS_MAX = 2

/** What becomes of one request to a server. */
export type RemoteFate = {
  /** null: it never arrives. */
  readonly arrivesInMs: number | null
  /** When the caller gets the answer, or the failure; null: never. */
  readonly answeredInMs: number | null
  /** The caller gets this instead of the answer. */
  readonly failure?: Error
}

/** Requests to a server outside of all processes: arrival and answer are steps, and a process that dies gets no answer. */
export class RemoteCalls {
  readonly #scheduler: Scheduler
  readonly #random: Random

  constructor(scheduler: Scheduler, random: Random) {
    this.#scheduler = scheduler
    this.#random = random
  }

  /** A fate without faults. */
  usual(): RemoteFate {
    const arrivesInMs = this.#random.fraction() * DELAY_MS_MAX
    return { arrivesInMs, answeredInMs: arrivesInMs + this.#random.fraction() * DELAY_MS_MAX }
  }

  call<Result>(label: string, { arrivesInMs, answeredInMs, failure }: RemoteFate, work: () => Result): Promise<Result> {
    const scheduler = this.#scheduler
    const owner = scheduler.processes.getStore() ?? null
    return new Promise((resolve, reject) => {
      let result: { readonly value: Result } | { readonly error: unknown } | null = null
      const arrive = () => {
        try {
          result = { value: work() }
        } catch (error) {
          result = { error }
        }
      }
      if (arrivesInMs !== null) {
        scheduler.processes.exit(() => scheduler.schedule({ owner: null, label, delayMs: arrivesInMs }, arrive))
      }
      if (answeredInMs === null) return
      scheduler.schedule({ owner, label: `${label} is answered`, delayMs: answeredInMs }, () => {
        // An answer without a delay may come up before its request.
        if (failure) reject(failure)
        else {
          if (result === null) arrive()
          if (result && 'value' in result) resolve(result.value)
          else reject((result as { readonly error: unknown } | null)?.error)
        }
      })
    })
  }
}
