import Stripe from 'stripe'
import { z } from 'zod'
import type { Network } from '../../platform/network.ts'
import { withoutKeys } from '../redaction/keyLikeTexts.ts'
import {
  openStripe,
  type PaymentConfig,
  PaymentProviderError,
  providerError,
  translated,
  unlessMissing,
} from './paymentProvider.ts'

const PAGE = 100
/** The provider's clock may be behind ours. */
const CLOCK_SKEW_SECONDS = 60 * 60
const REASON_CHARS_MAX = 300

/** The metadata of a checkout whose buyer agrees that the payment method is charged later without them. */
export const SAVE_METHOD = { savePaymentMethod: 'true' } as const

export type LaterPayment = {
  readonly attemptId: string
  readonly companyId: string
  readonly userId: string
  readonly purchaseId: string
  readonly customerId: string
  readonly methodId: string
  readonly amountMinor: string
  readonly currency: string
  readonly startedAt: string
  /** Where the bank sends the holder after a confirmation. */
  readonly returnUrl: string
}

/** What the provider says about a payment. */
export type PaymentOutcome =
  | {
      readonly status: 'succeeded'
      readonly paymentIntentId: string
      readonly paidMinor: string
      readonly currency: string
      /** When the payment was created at the provider, in seconds since 1970. */
      readonly created: number
    }
  | { readonly status: 'declined'; readonly paymentIntentId: string | null; readonly reason: string }
  | { readonly status: 'needs confirmation'; readonly paymentIntentId: string; readonly url: string | null }
  | { readonly status: 'canceled' | 'processing'; readonly paymentIntentId: string }

export type SavedMethod = { readonly methodId: string; readonly customerId: string }

const reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish()

export const paymentIntentObject = z.object({
  id: z.string(),
  status: z.string(),
  amount_received: z.int().nonnegative().nullish(),
  currency: z.string(),
  created: z.int().nonnegative(),
  customer: reference,
  payment_method: reference,
  setup_future_usage: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  last_payment_error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
  next_action: z.object({ redirect_to_url: z.object({ url: z.string().nullish() }).nullish() }).nullish(),
})
export type PaymentIntentObject = z.infer<typeof paymentIntentObject>

export function openSavedPayments(config: PaymentConfig, network?: Network): SavedPayments {
  return new SavedPayments(openStripe(config, network))
}

/**
 * Payments by a method that its holder let us save. The key of each write derives from the attempt, so that an attempt is
 * one payment, however often it is repeated while the provider remembers the key, which is a day. After that, `find` tells.
 */
export class SavedPayments {
  readonly #stripe: Stripe

  constructor(stripe: Stripe) {
    this.#stripe = stripe
  }

  /** The method that was saved by a payment; null if the payment saved none. */
  async methodOf(paymentIntentId: string): Promise<SavedMethod | null> {
    const { setup_future_usage, payment_method: methodId, customer: customerId } = await this.#retrieve(paymentIntentId)
    // Every payment names its method. Without the buyer's consent, it cannot be used again.
    return setup_future_usage === 'off_session' && methodId && customerId ? { methodId, customerId } : null
  }

  /** Later payments by the method fail. */
  async remove(methodId: string): Promise<void> {
    const { paymentMethods } = this.#stripe
    try {
      await paymentMethods.detach(methodId)
    } catch (error) {
      // The provider also refuses to detach a method that was detached before.
      if (error instanceof Stripe.errors.StripeInvalidRequestError) {
        const method = await unlessMissing(translated(paymentMethods.retrieve(methodId)))
        if (method === null || method.customer === null) return
      }
      throw providerError(error)
    }
  }

  async pay(payment: LaterPayment): Promise<PaymentOutcome> {
    const { attemptId, companyId, userId, purchaseId, customerId, methodId, amountMinor, currency } = payment
    const params = {
      amount: Number(amountMinor),
      currency,
      customer: customerId,
      payment_method: methodId,
      payment_method_types: ['card'],
      confirm: true,
      off_session: true,
      metadata: { companyId, userId, purchaseId, topUpAttemptId: attemptId },
    }
    const { paymentIntents } = this.#stripe
    const outcome = await outcomeOfCall(
      paymentIntents.create(params, { idempotencyKey: `tollgate:topUp:${attemptId}` }),
    )
    if ('outcome' in outcome) return outcome.outcome
    return this.#settled(outcome.intent, payment)
  }

  /** The payment of an attempt, found by its metadata; null if there is none. */
  async find(payment: LaterPayment): Promise<PaymentOutcome | null> {
    const gte = Math.floor(Date.parse(payment.startedAt) / 1_000) - CLOCK_SKEW_SECONDS
    const search = async () => {
      for await (const intent of this.#stripe.paymentIntents.list({
        customer: payment.customerId,
        created: { gte },
        limit: PAGE,
      })) {
        if (intent.metadata?.topUpAttemptId === payment.attemptId) return intent
      }
      return null
    }
    const found = await translated(search())
    return found && this.#settled(paymentIntentObject.parse(found), payment)
  }

  async outcome(paymentIntentId: string): Promise<PaymentOutcome> {
    return outcomeOf(await this.#retrieve(paymentIntentId))
  }

  /** Ends a payment that was not confirmed. If it has been paid or has ended meanwhile, its outcome is returned. */
  async cancel(paymentIntentId: string): Promise<PaymentOutcome> {
    try {
      const canceled = await this.#stripe.paymentIntents.cancel(paymentIntentId)
      return outcomeOf(paymentIntentObject.parse(canceled))
    } catch (error) {
      if (isUnexpectedState(error)) return this.outcome(paymentIntentId)
      throw providerError(error)
    }
  }

  /** A bank that wants to ask the holder is asked again as if they were present, which gives the page to send them to. */
  async #settled(
    intent: PaymentIntentObject,
    { attemptId, methodId, returnUrl }: LaterPayment,
  ): Promise<PaymentOutcome> {
    if (intent.last_payment_error?.code !== 'authentication_required') {
      const outcome = outcomeOf(intent)
      // The answer to a repeated request is the first one, and the payment may have gone on since.
      return outcome.status === 'processing' ? this.outcome(intent.id) : outcome
    }
    const confirmed = await outcomeOfCall(
      this.#stripe.paymentIntents.confirm(
        intent.id,
        { payment_method: methodId, return_url: returnUrl },
        { idempotencyKey: `tollgate:topUp:confirm:${attemptId}` },
      ),
    )
    // Asked again for the same reason: the payment may have been confirmed since.
    return 'outcome' in confirmed ? confirmed.outcome : this.outcome(confirmed.intent.id)
  }

  async #retrieve(paymentIntentId: string): Promise<PaymentIntentObject> {
    return paymentIntentObject.parse(await translated(this.#stripe.paymentIntents.retrieve(paymentIntentId)))
  }
}

export function outcomeOf(intent: PaymentIntentObject): PaymentOutcome {
  const { id: paymentIntentId, status, currency, created } = intent
  switch (status) {
    case 'succeeded':
      return { status, paymentIntentId, paidMinor: String(intent.amount_received ?? 0), currency, created }
    case 'requires_action':
      return { status: 'needs confirmation', paymentIntentId, url: intent.next_action?.redirect_to_url?.url ?? null }
    case 'requires_payment_method':
      return { status: 'declined', paymentIntentId, reason: shown(intent.last_payment_error?.message) }
    case 'canceled':
      return { status, paymentIntentId }
    default:
      return { status: 'processing', paymentIntentId }
  }
}

type Called = { readonly intent: PaymentIntentObject } | { readonly outcome: PaymentOutcome }

/** A decline is an outcome, and so is a request that the provider will never accept, such as for a removed method. */
async function outcomeOfCall(call: Promise<Stripe.PaymentIntent>): Promise<Called> {
  try {
    return { intent: paymentIntentObject.parse(await call) }
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) {
      const { payment_intent: intent } = error as { readonly payment_intent?: unknown }
      if (intent) return { intent: paymentIntentObject.parse(intent) }
      return { outcome: { status: 'declined', paymentIntentId: null, reason: shown(error.message) } }
    }
    const translation = providerError(error)
    if (!(translation instanceof PaymentProviderError && translation.fault === 'request')) throw translation
    // A key that was used for other parameters or is in use says nothing about this payment.
    if (error instanceof Stripe.errors.StripeIdempotencyError) throw translation
    return { outcome: { status: 'declined', paymentIntentId: null, reason: shown(translation.message) } }
  }
}

function isUnexpectedState(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'payment_intent_unexpected_state'
}

function shown(message: string | null | undefined): string {
  return withoutKeys(message || 'the payment was declined').slice(0, REASON_CHARS_MAX)
}
