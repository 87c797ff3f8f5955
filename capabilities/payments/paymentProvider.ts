import { hash } from 'node:crypto'
import Stripe from 'stripe'
import type { z } from 'zod'
import type { Config } from '../../platform/config/config.ts'
import type { Network } from '../../platform/network.ts'
import { withoutKeys } from '../redaction/keyLikeTexts.ts'
import { type DisputeObject, type DisputeWithCharge, disputeObject, disputeWithCharge } from './disputeObject.ts'
import type { Offer } from './offers.ts'
import {
  API_VERSION,
  type ChargeObject,
  chargeObject,
  type InvoiceObject,
  invoiceObject,
  type PaymentEventBody,
  paymentEventBody,
  type RefundWithCharge,
  type RetrievedSession,
  refundWithCharge,
  retrievedSession,
  type SessionObject,
  type SubscriptionObject,
  sessionObject,
  subscriptionObject,
  timeOf,
} from './providerObjects.ts'
import { tracedHttpClient } from './tracedHttpClient.ts'

/** Time-out of one call to the payment provider, and the retries of its SDK. */
const PAYMENT_CALL_MS = 10_000
const PAYMENT_RETRIES_MAX = 2
/** How many of a subscription's newest invoices are searched for those of the current period. */
const INVOICES_REFUNDED_MAX = 100

/** An error of the payment provider, with its own message, or a failure to reach it. */
export class PaymentProviderError extends Error {
  readonly fault: PaymentFault
  /** The parameter that the error is about. */
  readonly param: string | undefined

  constructor(message: string, fault: PaymentFault, cause: unknown, param?: string) {
    super(message, { cause })
    this.name = 'PaymentProviderError'
    this.fault = fault
    this.param = param
  }

  /** The provider has no such object. */
  get isMissing(): boolean {
    return isMissing(this.cause)
  }

  /** Whether a retry may succeed. */
  get isTransient(): boolean {
    return this.fault === 'transient'
  }
}

/**
 * transient: the provider could not be reached, failed or limits our rate. access: it refuses our API key, which only the
 * operator can fix. request: it refuses this request.
 */
export type PaymentFault = 'transient' | 'access' | 'request'

export type Pricing = { readonly productId: string; readonly priceId: string }

export type CheckoutRequest = {
  readonly priceId: string
  readonly customerId: string
  readonly metadata: Readonly<Record<string, string>>
  readonly returnUrl: string
  readonly idempotencyKey: string
}

export type Upgrade = {
  readonly itemId: string
  readonly priceId: string
  readonly planId: string
  readonly idempotencyKey: string
}

export type Later = { readonly priceId: string; readonly nextPriceId: string; readonly idempotencyKey: string }

export type Refunded = { readonly amountMinor: string; readonly currency: string }

export type CheckoutPage = { readonly sessionId: string; readonly url: string; readonly expiresAt: string }

/** `network`: that of the operating system if it is missing. */
export function openPaymentProvider(config: PaymentConfig, network?: Network): PaymentProvider {
  return new PaymentProvider(openStripe(config, network))
}

export type PaymentConfig = Pick<Config, 'STRIPE_SECRET_KEY' | 'STRIPE_API_BASE'>

export function openStripe({ STRIPE_SECRET_KEY = '', STRIPE_API_BASE }: PaymentConfig, network?: Network): Stripe {
  return new Stripe(STRIPE_SECRET_KEY, {
    apiVersion: API_VERSION,
    timeout: PAYMENT_CALL_MS,
    maxNetworkRetries: PAYMENT_RETRIES_MAX,
    telemetry: false,
    httpClient: tracedHttpClient(network),
    ...(STRIPE_API_BASE === undefined ? {} : addressOf(STRIPE_API_BASE)),
  })
}

function addressOf(base: string) {
  const { protocol, hostname, port } = new URL(base)
  return {
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? ('https' as const) : ('http' as const),
  }
}

/** The payment provider, through its own SDK. Every write is idempotent: its key is derived from its purpose. */
export class PaymentProvider {
  readonly #stripe: Stripe

  constructor(stripe: Stripe) {
    this.#stripe = stripe
  }

  /** Finds or creates the product and its price. An earlier attempt may have created only one of them. */
  async ensureOffer(offer: Offer): Promise<Pricing> {
    const { productId } = offer
    await this.#ensureProduct(offer)
    const price = (await this.#findPrice(offer.priceKey)) ?? (await this.#createPrice(offer))
    return { productId, priceId: price.id }
  }

  /** Without an idempotency key: the answer to an earlier change to this name must not replace this one. */
  async renameProduct(productId: string, name: string): Promise<void> {
    await translated(this.#stripe.products.update(productId, { name }))
  }

  /** Creates a customer; `replaces` is a previous one that the provider no longer knows. */
  async createCustomer(companyId: string, replaces: string | null): Promise<string> {
    const { customers } = this.#stripe
    const idempotencyKey = `tollgate:customer:${companyId}:${replaces ?? 'first'}`
    return (await translated(customers.create({ metadata: { companyId } }, { idempotencyKey }))).id
  }

  /** The company in the customer's metadata; null if the customer is not ours. */
  async companyOfCustomer(customerId: string): Promise<string | null> {
    const customer = await translated(this.#stripe.customers.retrieve(customerId))
    return ('metadata' in customer && customer.metadata?.companyId) || null
  }

  /** Checkout of a one-time price. Only cards are accepted, because a card session is paid when it completes. */
  openPackCheckout(request: CheckoutRequest): Promise<CheckoutPage> {
    const { metadata } = request
    const saving = metadata.savePaymentMethod === undefined ? {} : ({ setup_future_usage: 'off_session' } as const)
    return this.#openCheckout(request, { mode: 'payment', payment_intent_data: { metadata, ...saving } })
  }

  openPlanCheckout(request: CheckoutRequest): Promise<CheckoutPage> {
    const { metadata } = request
    return this.#openCheckout(request, { mode: 'subscription', subscription_data: { metadata } })
  }

  /** With true the subscription ends with the paid period; with false it continues beyond it. */
  async setCancelAtPeriodEnd(
    subscriptionId: string,
    cancel_at_period_end: boolean,
    idempotencyKey: string,
  ): Promise<SubscriptionObject> {
    const { subscriptions } = this.#stripe
    const update = subscriptions.update(subscriptionId, { cancel_at_period_end }, { idempotencyKey })
    return subscriptionObject.parse(await translated(update))
  }

  /** Changes the price at once and bills the difference for the rest of the period. Nothing changes if the payment fails. */
  async upgrade(
    subscriptionId: string,
    { itemId, priceId, planId, idempotencyKey }: Upgrade,
  ): Promise<SubscriptionObject> {
    const update = this.#stripe.subscriptions.update(
      subscriptionId,
      {
        items: [{ id: itemId, price: priceId }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
        metadata: { planId },
      },
      { idempotencyKey },
    )
    return subscriptionObject.parse(await translated(update))
  }

  /** Keeps the current price until the period ends, and bills the next one from then on. */
  async scheduleChange(
    subscription: SubscriptionObject,
    { priceId, nextPriceId, idempotencyKey }: Later,
  ): Promise<void> {
    const { subscriptionSchedules } = this.#stripe
    const schedule = await translated(
      subscription.schedule
        ? subscriptionSchedules.retrieve(subscription.schedule)
        : subscriptionSchedules.create(
            { from_subscription: subscription.id },
            { idempotencyKey: `${idempotencyKey}:new` },
          ),
    )
    const start = schedule.current_phase?.start_date ?? schedule.phases[0]?.start_date
    const end = subscription.current_period_end
    if (!start || !end) throw new PaymentProviderError(`schedule ${schedule.id} has no period`, 'request', schedule)
    const phases = [
      { start_date: start, end_date: end, items: [{ price: priceId, quantity: 1 }] },
      { items: [{ price: nextPriceId, quantity: 1 }], iterations: 1 },
    ]
    const update = { end_behavior: 'release', proration_behavior: 'none', phases } as const
    await translated(subscriptionSchedules.update(schedule.id, update, { idempotencyKey }))
  }

  /** The subscription continues with its current price. */
  async releaseSchedule(scheduleId: string, idempotencyKey: string): Promise<void> {
    await translated(this.#stripe.subscriptionSchedules.release(scheduleId, {}, { idempotencyKey }))
  }

  /** Ends the subscription at once, without a refund. One that has already ended stays as it is. */
  async cancelNow(subscriptionId: string): Promise<SubscriptionObject> {
    const before = await this.subscription(subscriptionId)
    if (before.status === 'canceled' || before.status === 'incomplete_expired') return before
    try {
      return subscriptionObject.parse(await this.#stripe.subscriptions.cancel(subscriptionId))
    } catch (error) {
      // It has ended in the meantime: the provider does not find an ended subscription to cancel.
      if (isMissing(error)) return this.subscription(subscriptionId)
      throw providerError(error)
    }
  }

  /**
   * Refunds all payments for the subscription's current period, each once; null if there were none. There are several
   * if its plan was changed within the period.
   */
  async refundPeriod({ id, current_period_start: periodStart }: SubscriptionObject): Promise<Refunded | null> {
    const { data } = await translated(this.#stripe.invoices.list({ subscription: id, limit: INVOICES_REFUNDED_MAX }))
    const ofPeriod = data.filter(({ lines }) => lines.data.some(({ period }) => period.end > (periodStart ?? 0)))
    let refundedMinor = 0n
    for (const { id: invoiceId, payment_intent, amount_paid } of ofPeriod) {
      const intent = typeof payment_intent === 'object' ? payment_intent?.id : payment_intent
      if (!intent || amount_paid === 0) continue
      await this.#refundOnce(intent, `tollgate:duplicate:${id}:${invoiceId}`)
      refundedMinor += BigInt(amount_paid)
    }
    const [invoice] = ofPeriod
    return invoice && refundedMinor > 0n ? { amountMinor: String(refundedMinor), currency: invoice.currency } : null
  }

  async #refundOnce(payment_intent: string, idempotencyKey: string): Promise<void> {
    try {
      await this.#stripe.refunds.create({ payment_intent, reason: 'duplicate' }, { idempotencyKey })
    } catch (error) {
      // An earlier attempt has refunded it, with an idempotency key that the provider no longer remembers.
      if (!isRefunded(error)) throw providerError(error)
    }
  }

  async subscription(id: string): Promise<SubscriptionObject> {
    return subscriptionObject.parse(await translated(this.#stripe.subscriptions.retrieve(id)))
  }

  /** null if the provider has no such session. */
  async checkoutSession(id: string): Promise<RetrievedSession | null> {
    const { sessions } = this.#stripe.checkout
    const session = await unlessMissing(translated(sessions.retrieve(id, { expand: ['payment_intent'] })))
    return session && retrievedSession.parse(session)
  }

  async invoice(id: string): Promise<InvoiceObject> {
    return invoiceObject.parse(await translated(this.#stripe.invoices.retrieve(id, { expand: ['payment_intent'] })))
  }

  /** A payment, with the amount refunded so far. */
  async charge(id: string): Promise<ChargeObject> {
    return chargeObject.parse(await translated(this.#stripe.charges.retrieve(id)))
  }

  async dispute(id: string): Promise<DisputeObject> {
    return disputeObject.parse(await translated(this.#stripe.disputes.retrieve(id)))
  }

  /** A page of the disputes opened since then, newest first, each with its charge. */
  async disputesSince(page: ListedSince): Promise<Page<DisputeWithCharge>> {
    const params = { ...listed(page), expand: ['data.charge'] }
    return pageOf(await translated(this.#stripe.disputes.list(params)), disputeWithCharge)
  }

  /** A page of the invoices created since then, newest first. */
  async invoicesSince(page: ListedSince): Promise<Page<InvoiceObject>> {
    return pageOf(await translated(this.#stripe.invoices.list(listed(page))), invoiceObject)
  }

  /** The same for refunds, each with its charge as it is now. */
  async refundsSince(page: ListedSince): Promise<Page<RefundWithCharge>> {
    const params = { ...listed(page), expand: ['data.charge'] }
    return pageOf(await translated(this.#stripe.refunds.list(params)), refundWithCharge)
  }

  async sessionsSince(page: ListedSince): Promise<Page<SessionObject>> {
    return pageOf(await translated(this.#stripe.checkout.sessions.list(listed(page))), sessionObject)
  }

  /** An event as it was sent. The provider keeps events for some weeks. */
  async event(id: string): Promise<PaymentEventBody> {
    return paymentEventBody.parse(await translated(this.#stripe.events.retrieve(id)))
  }

  async #ensureProduct({ productId, name }: Offer): Promise<void> {
    // The provider accepts a key for one set of parameters only, and the offer may have been renamed since.
    const idempotencyKey = `tollgate:product:${productId}:${hash('sha256', name)}`
    try {
      await this.#stripe.products.create({ id: productId, name }, { idempotencyKey })
      return
    } catch (error) {
      if (!alreadyExists(error)) throw providerError(error)
    }
    await this.renameProduct(productId, name)
  }

  async #findPrice(key: string): Promise<{ readonly id: string } | undefined> {
    return (await translated(this.#stripe.prices.list({ lookup_keys: [key], limit: 1 }))).data[0]
  }

  async #createPrice({ productId, priceKey, unitAmount, currency, monthly }: Offer): Promise<{ readonly id: string }> {
    const price = { product: productId, unit_amount: unitAmount, currency, lookup_key: priceKey }
    const recurring = monthly ? { recurring: { interval: 'month' } as const } : {}
    try {
      return await this.#stripe.prices.create(
        { ...price, ...recurring },
        { idempotencyKey: `tollgate:price:${priceKey}` },
      )
    } catch (error) {
      // Another process has created it, with an idempotency key that the provider no longer remembers.
      const found = alreadyExists(error) ? await this.#findPrice(priceKey) : undefined
      if (!found) throw providerError(error)
      return found
    }
  }

  async #openCheckout(
    { priceId, customerId, metadata, returnUrl, idempotencyKey }: CheckoutRequest,
    kind: Pick<Stripe.Checkout.SessionCreateParams, 'mode' | 'payment_intent_data' | 'subscription_data'>,
  ): Promise<CheckoutPage> {
    const session = await translated(
      this.#stripe.checkout.sessions.create(
        {
          ...kind,
          customer: customerId,
          line_items: [{ price: priceId, quantity: 1 }],
          payment_method_types: ['card'],
          metadata,
          success_url: `${returnUrl}?outcome=paid`,
          cancel_url: `${returnUrl}?outcome=canceled`,
        },
        { idempotencyKey: `tollgate:checkout:${idempotencyKey}` },
      ),
    )
    if (!session.url)
      throw new PaymentProviderError('the provider returned a checkout session without a URL', 'request', session)
    return { sessionId: session.id, url: session.url, expiresAt: timeOf(session.expires_at) }
  }
}

/** The provider's largest page. */
const LIST_PAGE = 100

export type ListedSince = {
  /** Seconds since 1970. */
  readonly since: number
  /** The last id of the previous page; null for the first page. */
  readonly after: string | null
}

export type Page<Item> = {
  readonly items: readonly Item[] /** null after the last page. */
  readonly next: string | null
}

function listed({ since, after }: ListedSince) {
  return { created: { gte: since }, limit: LIST_PAGE, ...(after === null ? {} : { starting_after: after }) }
}

function pageOf<Schema extends z.ZodType>(
  { data, has_more }: { readonly data: readonly { readonly id: string }[]; readonly has_more: boolean },
  schema: Schema,
): Page<z.infer<Schema>> {
  return { items: data.map((one) => schema.parse(one)), next: (has_more && data.at(-1)?.id) || null }
}

/** Awaits an answer of the SDK and converts its errors into ours. */
export async function translated<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    throw providerError(error)
  }
}

/** null if the provider has no such object. */
export async function unlessMissing<Found>(answer: Promise<Found>): Promise<Found | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof PaymentProviderError && error.isMissing) return null
    throw error
  }
}

function alreadyExists(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_already_exists'
}

function isRefunded(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'charge_already_refunded'
}

function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
}

/** The SDK's error as one of ours; any other one as it is. */
export function providerError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  return new PaymentProviderError(withoutKeys(error.message), faultOf(error), error, error.param)
}

function faultOf(error: Stripe.errors.StripeError): PaymentFault {
  const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = Stripe.errors
  const { StripeAuthenticationError, StripePermissionError } = Stripe.errors
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError) return 'access'
  const isTransient = [StripeConnectionError, StripeAPIError, StripeRateLimitError].some((one) => error instanceof one)
  return isTransient ? 'transient' : 'request'
}
