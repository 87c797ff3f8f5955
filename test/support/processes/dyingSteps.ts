import Stripe from 'stripe'
import { API_VERSION } from '../../../capabilities/payments/providerObjects.ts'

class Killed extends Error {}

/** Counts the steps of a process that is killed before or after one of them: every later step fails. */
export class DyingSteps {
  readonly #last: number
  readonly #when: 'before' | 'after'
  #taken = 0

  constructor(last: number, when: 'before' | 'after') {
    this.#last = last
    this.#when = when
  }

  get taken(): number {
    return this.#taken
  }

  /** A step after which the process is killed has its effect; its result never arrives. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    const isLast = ++this.#taken === this.#last
    if (this.#taken > this.#last || (isLast && this.#when === 'before')) throw new Killed(`before step ${this.#last}`)
    const result = await work()
    if (isLast) throw new Killed(`after step ${this.#last}`)
    return result
  }

  /** A client of the payment provider; `isStep` says which of its requests count. */
  stripe(url: string, isStep: (method: string) => boolean = () => true): Stripe {
    const { hostname, port } = new URL(url)
    const send: typeof fetch = (target, init) =>
      isStep(init?.method ?? 'GET') ? this.take(() => fetch(target, init)) : fetch(target, init)
    return new Stripe('sk_test_of_the_tests', {
      apiVersion: API_VERSION,
      ...{ host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false },
      httpClient: Stripe.createFetchHttpClient(send),
    })
  }
}
