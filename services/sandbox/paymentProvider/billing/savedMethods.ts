import type { ProviderContext } from '../providerContext.ts'
import type { PaymentIntent, PaymentMethod } from '../state/records.ts'
import type { Metadata } from '../wire/params.ts'
import { PaymentApiError } from '../wire/paymentApiError.ts'
import { chargeIntent, newIntent } from './takePayment.ts'

/** What the bank does with payments by a saved method: the dashboard of the sandbox sets it. */
export const METHOD_OUTCOMES = ['pay', 'decline', 'confirm'] as const

/** The test card, saved for later payments of a customer. */
export function savePaymentMethod({ state, now, newId }: ProviderContext, customer: string): PaymentMethod {
  return state.put('paymentMethod', {
    id: newId('paymentMethod'),
    object: 'payment_method',
    billing_details: { address: null, email: null, name: null, phone: null },
    card: { brand: 'visa', country: 'US', exp_month: 12, exp_year: 2034, last4: '4242' },
    created: now(),
    customer,
    livemode: false,
    metadata: {},
    sandbox_outcome: 'pay',
    type: 'card',
  })
}

export type LaterPayment = {
  readonly amount: number
  readonly currency: string
  readonly customer: string
  readonly description: string | null
  readonly metadata: Metadata
}

/** Charges a saved method without its holder. A refusal is an answer, so the intent that it leaves behind is kept. */
export function payLater(
  context: ProviderContext,
  method: PaymentMethod,
  facts: LaterPayment,
): PaymentIntent | PaymentApiError {
  const payment = { ...facts, email: null, invoice: null }
  const { sandbox_outcome: outcome } = method
  const status = outcome === 'pay' ? 'succeeded' : 'requires_payment_method'
  const before = newIntent(context, payment, status)
  if (outcome === 'pay') return succeed(context, { ...before, payment_method: method.id })
  const refusal = outcome === 'decline' ? DECLINED : AUTHENTICATION_REQUIRED
  const intent = context.state.put('paymentIntent', { ...before, last_payment_error: refusal })
  return new PaymentApiError({ status: 402, ...refusal, payment_intent: intent })
}

/** A confirmation while the holder is present: the bank may ask them to agree on a page of its own. */
export function confirmIntent(
  context: ProviderContext,
  intent: PaymentIntent,
  method: PaymentMethod,
  returnUrl: string | null,
): PaymentIntent | PaymentApiError {
  const { state, url } = context
  const before = { ...intent, payment_method: method.id }
  if (method.sandbox_outcome === 'pay') return succeed(context, before)
  if (method.sandbox_outcome === 'decline') {
    const declined = state.put('paymentIntent', {
      ...before,
      status: 'requires_payment_method',
      last_payment_error: DECLINED,
    })
    return new PaymentApiError({ status: 402, ...DECLINED, payment_intent: declined })
  }
  const redirect_to_url = { return_url: returnUrl, url: `${url()}/confirm/${intent.id}` }
  const next_action = { type: 'redirect_to_url', redirect_to_url }
  return state.put('paymentIntent', { ...before, status: 'requires_action', last_payment_error: null, next_action })
}

/** The holder agreed or refused on the page of the bank. */
export function answerConfirmation(context: ProviderContext, intent: PaymentIntent, agrees: boolean): PaymentIntent {
  const before = { ...intent, next_action: null }
  if (agrees) return succeed(context, before)
  const last_payment_error = {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message: 'The provided PaymentMethod has failed authentication.',
  }
  return context.state.put('paymentIntent', { ...before, status: 'requires_payment_method', last_payment_error })
}

function succeed(context: ProviderContext, before: PaymentIntent): PaymentIntent {
  const { amount } = before
  const paid = { ...before, status: 'succeeded', amount_received: amount, last_payment_error: null } as const
  const { intent } = chargeIntent(context, paid, null)
  context.emit('payment_intent.succeeded', intent)
  return intent
}

const DECLINED = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
} as const

const AUTHENTICATION_REQUIRED = {
  type: 'card_error',
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
} as const
