import type { ProviderContext } from '../providerContext.ts'
import type { Charge, Invoice, PaymentIntent } from '../state/records.ts'
import type { Metadata } from '../wire/params.ts'

export type PaymentFacts = {
  readonly amount: number
  readonly currency: string
  readonly customer: string | null
  readonly email: string | null
  readonly description: string | null
  readonly invoice: string | null
  readonly metadata: Metadata
}

/** Creates a payment intent that succeeded, and its charge. No money moves. */
export function takePayment(context: ProviderContext, facts: PaymentFacts): { intent: PaymentIntent; charge: Charge } {
  return chargeIntent(context, newIntent(context, facts, 'succeeded'), facts.email)
}

/** The charge of a payment intent that has succeeded. */
export function chargeIntent(
  context: ProviderContext,
  intent: PaymentIntent,
  email: string | null,
): { intent: PaymentIntent; charge: Charge } {
  const { state, now, newId } = context
  const { amount, currency, customer, invoice, metadata } = intent
  const charge = state.put('charge', {
    id: newId('charge'),
    object: 'charge',
    amount,
    amount_captured: amount,
    amount_refunded: 0,
    balance_transaction: null,
    billing_details: { address: null, email, name: null, phone: null },
    captured: true,
    created: now(),
    currency,
    customer,
    description: intent.description,
    disputed: false,
    failure_code: null,
    failure_message: null,
    invoice,
    livemode: false,
    metadata,
    outcome: { network_status: 'approved_by_network', risk_level: 'normal', type: 'authorized' },
    paid: true,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    payment_method_details: { card: { brand: 'visa', country: 'US', last4: '4242' }, type: 'card' },
    receipt_email: null,
    refunded: false,
    status: 'succeeded',
  })
  return { intent: state.put('paymentIntent', { ...intent, latest_charge: charge.id }), charge }
}

/** A payment intent without a charge: the card was declined, or its holder has to confirm. */
export function openIntent(
  context: ProviderContext,
  invoice: Invoice,
  status: 'requires_payment_method' | 'requires_action',
): PaymentIntent {
  const facts = {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: invoice.customer,
    email: null,
    description: null,
    invoice: invoice.id,
    metadata: {},
  }
  return newIntent(context, facts, status)
}

/** The payment intent of a card that was declined. */
export function declinedIntent(context: ProviderContext, facts: PaymentFacts): PaymentIntent {
  return newIntent(context, facts, 'requires_payment_method')
}

export function newIntent(
  { state, now, newId }: ProviderContext,
  facts: PaymentFacts,
  status: PaymentIntent['status'],
): PaymentIntent {
  const { amount, currency, customer, description, invoice, metadata } = facts
  const id = newId('paymentIntent')
  return state.put('paymentIntent', {
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_received: status === 'succeeded' ? amount : 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_sandbox`,
    confirmation_method: 'automatic',
    created: now(),
    currency,
    customer,
    description,
    invoice,
    last_payment_error:
      status === 'requires_payment_method'
        ? {
            type: 'card_error',
            code: 'card_declined',
            decline_code: 'generic_decline',
            message: 'Your card was declined.',
          }
        : null,
    latest_charge: null,
    livemode: false,
    metadata,
    next_action: null,
    payment_method: null,
    payment_method_types: ['card'],
    receipt_email: null,
    setup_future_usage: null,
    status,
  })
}
