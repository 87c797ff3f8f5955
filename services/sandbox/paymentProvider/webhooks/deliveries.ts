import type { Clock } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { ProviderState } from '../state/providerState.ts'
import type { Delivery, ProviderEvent } from '../state/records.ts'
import { signatureOf } from './signature.ts'

/** Its webhooks: events that wait, requests at once, how long one may take, and how often it is tried. */
const PAYMENT_DELIVERIES_WAITING_MAX = 1_000
const PAYMENT_DELIVERIES_AT_ONCE_MAX = 4
const PAYMENT_DELIVERY_MS = 10_000
export const PAYMENT_DELIVERY_ATTEMPTS_MAX = 16

const FIRST_RETRY_MS = 1_000
const RETRY_MS_MAX = 60 * 60 * 1_000

export type DeliveriesOptions = {
  readonly state: ProviderState
  readonly clock: Clock
  readonly log: Log
  /** Where events go. */
  readonly endpoint: string
  readonly secret: string
}

/**
 * Brings events to the backend until it says that it has them: in the order in which they happened, several at a time,
 * again after a growing while, and no more often than the limit. What waits is part of the state, so it survives a restart.
 */
export class Deliveries {
  readonly #state: ProviderState
  readonly #clock: Clock
  readonly #log: Log
  readonly #endpoint: string
  readonly #secret: string
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #end = new AbortController()
  #sleep = new AbortController()
  #loop: Promise<void> | null = null

  constructor({ state, clock, log, endpoint, secret }: DeliveriesOptions) {
    this.#state = state
    this.#clock = clock
    this.#log = log
    this.#endpoint = endpoint
    this.#secret = secret
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Within the change that the event belongs to. */
  enqueue(eventId: string): void {
    const isFull = this.#pending().length >= PAYMENT_DELIVERIES_WAITING_MAX
    this.#state.put('delivery', {
      id: eventId,
      status: isFull ? 'given up' : 'pending',
      attempts: 0,
      nextAttemptMs: this.#clock.now(),
      outcome: isFull ? 'too many events wait already' : null,
    })
  }

  /** There may be something to do before the time that was last looked forward to. */
  wake(): void {
    this.#sleep.abort()
  }

  /** Waits for what is under way, which ends soon because its requests are cut. */
  async stop(): Promise<void> {
    this.#end.abort()
    this.wake()
    await this.#loop
    await Promise.all(this.#underWay.values())
  }

  async #run(): Promise<void> {
    while (!this.#end.signal.aborted) {
      this.#sleep = new AbortController()
      const nowMs = this.#clock.now()
      const waiting = this.#pending().filter(({ id }) => !this.#underWay.has(id))
      for (const delivery of waiting) {
        if (delivery.nextAttemptMs > nowMs) continue
        if (this.#underWay.size >= PAYMENT_DELIVERIES_AT_ONCE_MAX) break
        this.#begin(delivery)
      }
      const later = waiting.map(({ nextAttemptMs }) => nextAttemptMs - nowMs).filter((ms) => ms > 0)
      await this.#clock.delay(Math.min(RETRY_MS_MAX, ...later), this.#sleep.signal)
    }
  }

  #begin(delivery: Delivery): void {
    const attempt = this.#attempt(delivery)
      .catch((error: unknown) => this.#log.error({ err: error, event: delivery.id }, 'a delivery failed'))
      .finally(() => {
        this.#underWay.delete(delivery.id)
        this.wake()
      })
    this.#underWay.set(delivery.id, attempt)
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const event = this.#state.get('event', delivery.id)
    const { isTaken, outcome } = event ? await this.#send(event) : { isTaken: false, outcome: 'the event is forgotten' }
    // A backend that is told twice knows it by the event's id; a delivery that was cut by our own end is tried again.
    if (!isTaken && this.#end.signal.aborted) return
    const attempts = delivery.attempts + 1
    const isOver = !event || attempts >= PAYMENT_DELIVERY_ATTEMPTS_MAX
    const status = isTaken ? 'delivered' : isOver ? 'given up' : 'pending'
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** delivery.attempts, RETRY_MS_MAX)
    this.#state.transact(() =>
      this.#state.put('delivery', {
        ...delivery,
        status,
        attempts,
        outcome,
        nextAttemptMs: this.#clock.now() + waitMs,
      }),
    )
  }

  async #send(event: ProviderEvent): Promise<{ isTaken: boolean; outcome: string }> {
    const body = JSON.stringify(event, null, 2)
    const overdue = new AbortController()
    const timer = this.#clock.after(PAYMENT_DELIVERY_MS, () => overdue.abort())
    try {
      const response = await fetch(this.#endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'tollgate-sandbox',
          'stripe-signature': signatureOf(body, this.#secret, Math.floor(this.#clock.now() / 1000)),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#end.signal, overdue.signal]),
      })
      await response.body?.cancel()
      return { isTaken: response.ok, outcome: `HTTP ${response.status}` }
    } catch (error) {
      return { isTaken: false, outcome: overdue.signal.aborted ? 'no answer in time' : reasonOf(error) }
    } finally {
      timer.cancel()
    }
  }

  #pending(): Delivery[] {
    return this.#state.all('delivery').filter(({ status }) => status === 'pending')
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  const { cause } = error as { cause?: { code?: string } }
  return cause?.code ?? error.message
}
