import { PAYMENT_EVENT_TYPES } from '../../../contracts/events/paymentEvent.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Route } from '../../../platform/http/route.ts'
import type { Ids } from '../../../platform/ids/ids.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import { chargeOperations } from './api/chargeOperations.ts'
import { checkoutSessionOperations } from './api/checkoutSessionOperations.ts'
import { customerOperations } from './api/customerOperations.ts'
import { disputeOperations } from './api/disputeOperations.ts'
import { eventOperations } from './api/eventOperations.ts'
import { invoiceOperations } from './api/invoiceOperations.ts'
import { paymentIntentOperations } from './api/paymentIntentOperations.ts'
import { priceOperations } from './api/priceOperations.ts'
import { productOperations } from './api/productOperations.ts'
import { scheduleOperations } from './api/scheduleOperations.ts'
import { subscriptionOperations } from './api/subscriptionOperations.ts'
import { controlRoutes, type Registration } from './controlRoutes.ts'
import { Deliveries } from './events/deliveries.ts'
import { pageRoutes } from './pages/pageRoutes.ts'
import type { ProviderContext } from './providerContext.ts'
import { newId } from './providerIds.ts'
import { Journal } from './state/journal.ts'
import { ProviderState } from './state/providerState.ts'
import { API_VERSION, paymentApiRoutes } from './wire/paymentApi.ts'
import type { PaymentOperation } from './wire/paymentOperation.ts'

export type PaymentProviderOptions = {
  /** Where its records are kept. */
  readonly journalFile: string
  /** The backend's webhook, and the secret that signs its events. */
  readonly paymentEventsUrl: string
  readonly webhookSecret: string
  /** The base URL of the pages. A function, because the port is known only after the routes exist. */
  readonly url: () => string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

export type PaymentProvider = {
  /** Its API, pages and controls. The last one takes every other URL under `/v1/`. */
  readonly routes: readonly Route[]
  /** Starts deliveries, beginning with those that the last run left pending. */
  start(): void
  stop(): Promise<void>
}

/** All operations of its API. */
export const API_OPERATIONS: readonly PaymentOperation[] = [
  ...productOperations,
  ...priceOperations,
  ...customerOperations,
  ...checkoutSessionOperations,
  ...subscriptionOperations,
  ...scheduleOperations,
  ...invoiceOperations,
  ...paymentIntentOperations,
  ...chargeOperations,
  ...disputeOperations,
  ...eventOperations,
]
/** A payment provider with the wire protocol of the real one: its API, its checkout page, its signed events. */
export function createPaymentProvider(options: PaymentProviderOptions): PaymentProvider {
  const { clock, ids, log, url } = options
  const state = new ProviderState(new Journal(options.journalFile))
  const deliveries = new Deliveries({
    state,
    clock,
    log,
    endpoint: options.paymentEventsUrl,
    secret: options.webhookSecret,
  })
  const now = () => Math.floor(clock.now() / 1000)
  const registration: Registration = { types: PAYMENT_EVENT_TYPES }
  const context: ProviderContext = {
    state,
    now,
    newId: (kind) => newId(ids, kind),
    url,
    emit: (type, object, previous) => {
      if (!registration.types.includes(type)) return
      const event = state.put('event', {
        id: newId(ids, 'event'),
        object: 'event',
        api_version: API_VERSION,
        created: now(),
        data: { object, ...(previous ? { previous_attributes: previous } : {}) },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      })
      deliveries.enqueue(event.id)
      // The transaction is committed before the microtask runs, so the delivery finds the event.
      queueMicrotask(() => deliveries.wake())
    },
  }
  return {
    routes: [
      ...pageRoutes(context, options.paymentEventsUrl),
      ...controlRoutes(context, deliveries, registration),
      ...paymentApiRoutes(context, API_OPERATIONS, clock),
    ],
    start: () => deliveries.start(),
    stop: async () => {
      await deliveries.stop()
      state.close()
    },
  }
}
