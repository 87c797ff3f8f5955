import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Ids } from '../../platform/ids/ids.ts'
import type { Log } from '../../platform/log/log.ts'
import { chargeRoutes } from './api/chargeRoutes.ts'
import { checkoutSessionRoutes } from './api/checkoutSessionRoutes.ts'
import { customerRoutes } from './api/customerRoutes.ts'
import { eventRoutes } from './api/eventRoutes.ts'
import { invoiceRoutes } from './api/invoiceRoutes.ts'
import { priceRoutes } from './api/priceRoutes.ts'
import { productRoutes } from './api/productRoutes.ts'
import { subscriptionRoutes } from './api/subscriptionRoutes.ts'
import { controlRoutes } from './controlRoutes.ts'
import { paymentPages } from './pages/pageRoutes.ts'
import type { ProviderContext } from './providerContext.ts'
import { newId } from './providerIds.ts'
import { Journal } from './state/journal.ts'
import { ProviderState } from './state/providerState.ts'
import { Deliveries } from './webhooks/deliveries.ts'
import { API_VERSION, paymentApi } from './wire/paymentApi.ts'

export type PaymentProviderOptions = {
  /** Where it remembers what it sold. */
  readonly journalFile: string
  /** The backend's webhook, and what it knows the sender by. */
  readonly webhookUrl: string
  readonly webhookSecret: string
  /** Where a browser finds the pages; asked for when the port is known. */
  readonly url: () => string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

export type PaymentProvider = {
  /** The handler of a request that is the provider's, or null. */
  handlerOf(request: IncomingMessage): ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | null
  /** Begins with what a former run has left undelivered. */
  start(): void
  stop(): Promise<void>
}

const API_ROUTES = [
  ...productRoutes,
  ...priceRoutes,
  ...customerRoutes,
  ...checkoutSessionRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...chargeRoutes,
  ...eventRoutes,
]
/** What the model provider has under the same root. */
const API_PATH = /^\/v1\/(?!chat\/|completions$|embeddings$|models$)/
const PAGE_PATH = /^\/(payments|checkout\/|invoices\/|sandbox\/)/

/** A payment provider on loopback, at the wire of the real one: its API, its checkout page, its signed webhooks. */
export function createPaymentProvider(options: PaymentProviderOptions): PaymentProvider {
  const { clock, ids, log, url } = options
  const state = new ProviderState(new Journal(options.journalFile))
  const deliveries = new Deliveries({
    state,
    clock,
    log,
    endpoint: options.webhookUrl,
    secret: options.webhookSecret,
  })
  const now = () => Math.floor(clock.now() / 1000)
  const context: ProviderContext = {
    state,
    now,
    newId: (kind) => newId(ids, kind),
    url,
    emit: (type, object, previous) => {
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
      // The change is kept before anything else runs, so whoever wakes up finds the event.
      queueMicrotask(() => deliveries.wake())
    },
  }
  const api = paymentApi(context, API_ROUTES, clock)
  const pages = paymentPages(context, controlRoutes(deliveries), options.webhookUrl)
  return {
    handlerOf: ({ url = '/' }) => {
      const path = url.split('?', 1)[0] ?? '/'
      if (API_PATH.test(path)) return api
      return PAGE_PATH.test(path) ? pages : null
    },
    start: () => deliveries.start(),
    stop: async () => {
      await deliveries.stop()
      state.close()
    },
  }
}
