import { createHmac } from 'node:crypto'
import type { Clock } from '../../../../platform/clock/clock.ts'
import type { Log } from '../../../../platform/logger/logger.ts'
import type { ProviderState } from '../state/providerState.ts'
import type { Delivery, ProviderEvent } from '../state/records.ts'

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
  readonly endpoint: string
  readonly secret: string
}

/**
 * Delivers events to the backend's webhook until it acknowledges them: in order, several at a time, with exponential
 * backoff and a limit on attempts. Pending deliveries are part of the provider's state, so they survive a restart.
 */
export class Deliveries {
  readonly #state: ProviderState
  readonly #clock: Clock
  readonly #log: Log
  readonly #endpoint: string
  readonly #secret: string
  readonly #inFlight = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
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

  /** Called within the transaction that records the event. */
  enqueue(eventId: string): void {
    const isFull = this.#pending().length >= PAYMENT_DELIVERIES_WAITING_MAX
    this.#state.put('delivery', {
      id: eventId,
      status: isFull ? 'given up' : 'pending',
      attempts: 0,
      nextAttemptMs: this.#clock.now(),
      outcome: isFull ? 'too many pending deliveries' : null,
    })
  }

  /** Ends the wait for the next attempt, because a delivery may be due earlier. */
  wake(): void {
    this.#sleep.abort()
  }

  /** Aborts the requests in flight and waits for them to end. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.wake()
    await this.#loop
    await Promise.all(this.#inFlight.values())
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#sleep = new AbortController()
      const nowMs = this.#clock.now()
      const waiting = this.#pending().filter(({ id }) => !this.#inFlight.has(id))
      for (const delivery of waiting) {
        if (delivery.nextAttemptMs > nowMs) continue
        if (this.#inFlight.size >= PAYMENT_DELIVERIES_AT_ONCE_MAX) break
        this.#begin(delivery)
      }
      const later = waiting.map(({ nextAttemptMs }) => nextAttemptMs - nowMs).filter((ms) => ms > 0)
      await this.#clock.delay(Math.min(RETRY_MS_MAX, ...later), this.#sleep.signal)
    }
  }

  #begin(delivery: Delivery): void {
    const attempt = this.#attempt(delivery)
      .catch((error: unknown) => this.#log.error({ err: error, event: delivery.id }, 'webhook delivery failed'))
      .finally(() => {
        this.#inFlight.delete(delivery.id)
        this.wake()
      })
    this.#inFlight.set(delivery.id, attempt)
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const event = this.#state.get('event', delivery.id)
    const { isAcknowledged, outcome } = event
      ? await this.#send(event)
      : { isAcknowledged: false, outcome: 'the event is no longer stored' }
    // A delivery that our own shutdown aborted stays pending. The backend recognizes a repeat by the event's id.
    if (!isAcknowledged && this.#stopping.signal.aborted) return
    const attempts = delivery.attempts + 1
    const isOver = !event || attempts >= PAYMENT_DELIVERY_ATTEMPTS_MAX
    const status = isAcknowledged ? 'delivered' : isOver ? 'given up' : 'pending'
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

  async #send(event: ProviderEvent): Promise<{ isAcknowledged: boolean; outcome: string }> {
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
        signal: AbortSignal.any([this.#stopping.signal, overdue.signal]),
      })
      await response.body?.cancel()
      return { isAcknowledged: response.ok, outcome: `HTTP ${response.status}` }
    } catch (error) {
      return {
        isAcknowledged: false,
        outcome: overdue.signal.aborted ? `no answer within ${PAYMENT_DELIVERY_MS} ms` : reasonOf(error),
      }
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

/** The `stripe-signature` header of a body: the time, and an HMAC over time and body. The time guards against replay. */
export function signatureOf(body: string, secret: string, atSeconds: number): string {
  const v1 = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')
  return `t=${atSeconds},v1=${v1}`
}
