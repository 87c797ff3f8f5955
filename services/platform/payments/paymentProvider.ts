import Stripe from 'stripe'
import type { Config } from '../config/config.ts'
import type { Offer } from './offers.ts'
import {
  type InvoiceObject,
  invoiceObject,
  type SubscriptionObject,
  subscriptionObject,
  type WebhookBody,
  webhookBody,
} from './providerObjects.ts'

/** Calls to the payment provider: how long one may take, and how often the client tries again by itself. */
const PAYMENT_CALL_MS = 10_000
const PAYMENT_RETRIES_MAX = 2

/** The version that the SDK, the webhook endpoint and this program are for; they change together. */
export const API_VERSION = '2023-10-16'

/** What the provider said, or that it said nothing. The message is its own. */
export class PaymentProviderError extends Error {
  /** Whether it may go well another time. */
  readonly mayPass: boolean
  /** The parameter that it was about. */
  readonly param: string | undefined

  constructor(message: string, mayPass: boolean, cause: unknown, param?: string) {
    super(message, { cause })
    this.name = 'PaymentProviderError'
    this.mayPass = mayPass
    this.param = param
  }
}

export type Pricing = { readonly productId: string; readonly priceId: string }

export type CheckoutRequest = {
  readonly priceId: string
  readonly customerId: string
  readonly metadata: Readonly<Record<string, string>>
  readonly returnUrl: string
  readonly idempotencyKey: string
}

export type CheckoutPage = { readonly sessionId: string; readonly url: string }

export function openPaymentProvider({
  STRIPE_SECRET_KEY = '',
  STRIPE_API_BASE,
}: Pick<Config, 'STRIPE_SECRET_KEY' | 'STRIPE_API_BASE'>): PaymentProvider {
  return new PaymentProvider(
    new Stripe(STRIPE_SECRET_KEY, {
      apiVersion: API_VERSION,
      timeout: PAYMENT_CALL_MS,
      maxNetworkRetries: PAYMENT_RETRIES_MAX,
      telemetry: false,
      ...(STRIPE_API_BASE === undefined ? {} : addressOf(STRIPE_API_BASE)),
    }),
  )
}

function addressOf(base: string) {
  const { protocol, hostname, port } = new URL(base)
  return {
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? ('https' as const) : ('http' as const),
  }
}

/** The payment provider through its own SDK. Every write can be repeated: it is known by what it is for. */
export class PaymentProvider {
  readonly #stripe: Stripe

  constructor(stripe: Stripe) {
    this.#stripe = stripe
  }

  /** Product and price, found if they are there and made if not, however long ago somebody began with it. */
  async ensureOffer(offer: Offer): Promise<Pricing> {
    const { productId } = offer
    await this.#ensureProduct(offer)
    const price = (await this.#findPrice(offer.priceKey)) ?? (await this.#makePrice(offer))
    return { productId, priceId: price.id }
  }

  /** Beside one that the provider no longer knows, if there was one. */
  async createCustomer(companyId: string, replaces: string | null): Promise<string> {
    const { customers } = this.#stripe
    const idempotencyKey = `tollgate:customer:${companyId}:${replaces ?? 'first'}`
    return (await asked(customers.create({ metadata: { companyId } }, { idempotencyKey }))).id
  }

  /** The company that a customer stands for, as we wrote it there; null: somebody else's customer. */
  async companyOfCustomer(customerId: string): Promise<string | null> {
    const customer = await asked(this.#stripe.customers.retrieve(customerId))
    return ('metadata' in customer && customer.metadata?.companyId) || null
  }

  /** For a one-time price. Only cards: with them the session is paid, or not, when it is completed. */
  openPackCheckout(request: CheckoutRequest): Promise<CheckoutPage> {
    const { metadata } = request
    return this.#openCheckout(request, { mode: 'payment', payment_intent_data: { metadata } })
  }

  openPlanCheckout(request: CheckoutRequest): Promise<CheckoutPage> {
    const { metadata } = request
    return this.#openCheckout(request, { mode: 'subscription', subscription_data: { metadata } })
  }

  /** It runs on until the end of what is paid for. */
  async cancelAtPeriodEnd(subscriptionId: string, idempotencyKey: string): Promise<SubscriptionObject> {
    const { subscriptions } = this.#stripe
    const update = subscriptions.update(subscriptionId, { cancel_at_period_end: true }, { idempotencyKey })
    return subscriptionObject.parse(await asked(update))
  }

  async subscription(id: string): Promise<SubscriptionObject> {
    return subscriptionObject.parse(await asked(this.#stripe.subscriptions.retrieve(id)))
  }

  async invoice(id: string): Promise<InvoiceObject> {
    return invoiceObject.parse(await asked(this.#stripe.invoices.retrieve(id, { expand: ['payment_intent'] })))
  }

  /** An event as it was sent; the provider keeps it for some weeks. */
  async event(id: string): Promise<WebhookBody> {
    return webhookBody.parse(await asked(this.#stripe.events.retrieve(id)))
  }

  async #ensureProduct({ productId, name }: Offer): Promise<void> {
    try {
      await this.#stripe.products.create({ id: productId, name }, { idempotencyKey: `tollgate:product:${productId}` })
    } catch (error) {
      if (!isAlreadyThere(error)) throw providerError(error)
    }
  }

  async #findPrice(key: string): Promise<{ readonly id: string } | undefined> {
    return (await asked(this.#stripe.prices.list({ lookup_keys: [key], limit: 1 }))).data[0]
  }

  async #makePrice({ productId, priceKey, unitAmount, currency, monthly }: Offer): Promise<{ readonly id: string }> {
    const price = { product: productId, unit_amount: unitAmount, currency, lookup_key: priceKey }
    const recurring = monthly ? { recurring: { interval: 'month' } as const } : {}
    try {
      return await this.#stripe.prices.create(
        { ...price, ...recurring },
        { idempotencyKey: `tollgate:price:${priceKey}` },
      )
    } catch (error) {
      // Somebody else made it since we looked, and longer ago than an idempotency key is kept.
      const found = isAlreadyThere(error) ? await this.#findPrice(priceKey) : undefined
      if (!found) throw providerError(error)
      return found
    }
  }

  async #openCheckout(
    { priceId, customerId, metadata, returnUrl, idempotencyKey }: CheckoutRequest,
    kind: Pick<Stripe.Checkout.SessionCreateParams, 'mode' | 'payment_intent_data' | 'subscription_data'>,
  ): Promise<CheckoutPage> {
    const session = await asked(
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
    if (!session.url) throw new PaymentProviderError('the provider gave no address for the checkout', false, session)
    return { sessionId: session.id, url: session.url }
  }
}

async function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    throw providerError(error)
  }
}

function isAlreadyThere(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_already_exists'
}

function providerError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const mayPass =
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeAPIError ||
    error instanceof Stripe.errors.StripeRateLimitError
  return new PaymentProviderError(error.message, mayPass, error, error.param)
}
