import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import {
  OTHER_PAYMENT_EVENT_TYPES,
  PAYMENT_EVENT_TYPES,
  type PaymentEventType,
} from '../../../../contracts/events/paymentEvent.ts'
import { systemClock } from '../../../../platform/clock/clock.ts'
import { createApp } from '../../../../platform/http/createApp.ts'
import { systemIds } from '../../../../platform/ids/ids.ts'
import { forwardingLog } from '../../../../platform/logger/logger.ts'
import { API_OPERATIONS } from '../../../../services/sandbox/paymentProvider/createPaymentProvider.ts'
import type { ProviderContext } from '../../../../services/sandbox/paymentProvider/providerContext.ts'
import { newId } from '../../../../services/sandbox/paymentProvider/providerIds.ts'
import { ProviderState } from '../../../../services/sandbox/paymentProvider/state/providerState.ts'
import type { CheckoutSession } from '../../../../services/sandbox/paymentProvider/state/records.ts'
import {
  API_VERSION,
  paymentApiRoutes,
  requirePaymentKey,
} from '../../../../services/sandbox/paymentProvider/wire/paymentApi.ts'
import type { PaymentOperation } from '../../../../services/sandbox/paymentProvider/wire/paymentOperation.ts'
import type { Random } from '../../scheduler/random.ts'
import { SimulatedProcess } from '../../scheduler/simulatedProcess.ts'
import type { Simulation } from '../../simulation.ts'
import { PaymentDeliveries, type PaymentEndpoint } from './paymentDeliveries.ts'
import { withSlowBank } from './slowBank.ts'

const HOST = 'payments'
const PORT = 80
/** Settings by which the product's own SDK reaches it. */
export const PAYMENT_SETTINGS = { STRIPE_SECRET_KEY: 'sk_test_simulated', STRIPE_API_BASE: `http://${HOST}` } as const
const ALL_TYPES_SHARE = 0.5
const SHORT_SESSION_SHARE = 0.5
const SHORT_SESSION_SECONDS_MAX = 8

const NO_JOURNAL = { isLong: false, read: () => {}, append: () => {}, rewrite: () => {}, close: () => {} }

/**
 * The payment provider, replaced at the wire: API and billing of the sandbox's, behind the network in memory. It is an
 * outside party, so it is never killed, but it fails, loses answers, and delivers events as it likes.
 */
export class PaymentParty {
  readonly state = new ProviderState(NO_JOURNAL)
  readonly deliveries: PaymentDeliveries
  readonly #simulation: Simulation
  readonly #owner = new SimulatedProcess(HOST)
  readonly #random: Random
  readonly #slowBanks: Random
  readonly #context: ProviderContext

  constructor(simulation: Simulation, endpoint: PaymentEndpoint) {
    this.#simulation = simulation
    this.#random = simulation.random('payments')
    this.#slowBanks = simulation.random('slow banks')
    this.deliveries = new PaymentDeliveries(simulation, this.#owner, endpoint)
    const isForAll = this.#random.chance(ALL_TYPES_SHARE)
    const registered: readonly string[] = isForAll
      ? [...PAYMENT_EVENT_TYPES, ...OTHER_PAYMENT_EVENT_TYPES]
      : PAYMENT_EVENT_TYPES
    this.#context = {
      state: this.state,
      now: () => Math.floor(Date.now() / 1_000),
      newId: (kind) => newId(systemIds, kind),
      url: () => `http://${HOST}`,
      emit: (type, object, previous) => {
        if (registered.includes(type)) this.#emit(type, object, previous)
      },
    }
  }

  start(): void {
    const { scheduler, network } = this.#simulation
    const operations = API_OPERATIONS.map((operation) =>
      withSlowBank(this.#withShortSessions(operation), this.#slowBanks, (work) => this.act(work)),
    )
    const app = createApp<null>({
      routes: paymentApiRoutes(this.#context, operations, systemClock),
      guards: {
        key: (request) => {
          requirePaymentKey(request)
          return { caller: null, holder: HOST }
        },
      },
      clock: systemClock,
      ids: systemIds,
      log: forwardingLog('silent', () => {}),
    })
    scheduler.processes.run(this.#owner, () => {
      const server = http.createServer((request, response) => this.#answer(app, request, response))
      void network.of(this.#owner).listen(server, { host: HOST, port: PORT })
    })
  }

  /** What people do at the provider, or what time does. Returns whether it was possible. */
  act(work: (context: ProviderContext) => unknown): boolean {
    return this.#simulation.scheduler.processes.run(this.#owner, () => {
      try {
        this.state.transact(() => work(this.#context))
        return true
      } catch (error) {
        this.#simulation.scheduler.record(`${HOST} refuses: ${String(error)}`)
        return false
      }
    })
  }

  #answer(app: http.RequestListener, request: IncomingMessage, response: ServerResponse): void {
    const { faults } = this.#simulation
    if (faults.happens('payment provider fails')) {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { type: 'api_error', message: 'An unknown error occurred' } }))
      return
    }
    if (faults.happens('payment answer is lost')) {
      response.end = () => {
        request.socket.destroy()
        return response
      }
    }
    app(request, response)
  }

  #emit(type: PaymentEventType, object: object, previous: object | undefined): void {
    const event = this.state.put('event', {
      id: this.#context.newId('event'),
      object: 'event',
      api_version: API_VERSION,
      created: this.#context.now(),
      data: { object, ...(previous ? { previous_attributes: previous } : {}) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    })
    this.#simulation.counters.hit(`payment event ${type}`)
    this.deliveries.send(event)
  }

  /** Some checkout pages are closed soon, so that a run sees the end of purchases. */
  #withShortSessions(operation: PaymentOperation): PaymentOperation {
    if (operation.method !== 'POST' || operation.path !== '/v1/checkout/sessions') return operation
    return {
      ...operation,
      handle: (context, form, id) => {
        const session = operation.handle(context, form, id) as CheckoutSession
        if (!this.#random.chance(SHORT_SESSION_SHARE)) return session
        const expires_at = context.now() + 1 + this.#random.below(SHORT_SESSION_SECONDS_MAX)
        return context.state.put('checkoutSession', { ...session, expires_at })
      },
    }
  }
}
