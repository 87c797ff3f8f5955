import type { ProviderContext } from '../providerContext.ts'
import type { CheckoutSession, Customer, PaymentIntent, SessionTerms } from '../state/records.ts'
import { createCustomer } from './createCustomer.ts'
import { draftInvoice, finalizeInvoice, payInvoice } from './invoiceLifecycle.ts'
import { savePaymentMethod } from './savedMethods.ts'
import { startSubscription } from './subscriptionLifecycle.ts'
import { declinedIntent, takePayment } from './takePayment.ts'

/** The address of a buyer for whom the session names none. */
const GUEST_EMAIL = 'buyer@sandbox.example'

/** Pays an open session, with everything that follows: payment, subscription, invoice and events. */
export function completeCheckout(context: ProviderContext, session: CheckoutSession): CheckoutSession {
  const { state, emit } = context
  const terms = state.get('sessionTerms', session.id)
  if (session.status !== 'open' || !terms) throw new Error(`${session.id} is ${session.status} and cannot be paid`)
  const customer = customerOf(context, session, terms)
  const email = customer?.email ?? session.customer_email ?? GUEST_EMAIL
  const outcome =
    session.mode === 'subscription'
      ? subscribe(context, session, terms, customer)
      : payOnce(context, session, terms, customer, email)
  const complete = state.put('checkoutSession', {
    ...session,
    ...outcome.fields,
    status: 'complete',
    payment_status: session.amount_total > 0 ? 'paid' : 'no_payment_required',
    url: null,
    customer: customer?.id ?? null,
    customer_details: {
      address: null,
      email,
      name: customer?.name ?? null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
  })
  emit('checkout.session.completed', complete)
  outcome.emitLater()
  return complete
}

/** Records a declined card: the session stays open, and its payment intent shows why the payment failed. */
export function declineCheckout(context: ProviderContext, session: CheckoutSession): CheckoutSession {
  if (session.mode !== 'payment') return session
  const { currency, customer, amount_total: amount, customer_email: email } = session
  const terms = context.state.get('sessionTerms', session.id)
  const intent = declinedIntent(context, {
    amount,
    currency,
    customer,
    email,
    description: terms?.intentDescription ?? null,
    invoice: null,
    metadata: terms?.intentMetadata ?? {},
  })
  return context.state.put('checkoutSession', { ...session, payment_intent: intent.id })
}

type Outcome = {
  readonly fields: { readonly payment_intent?: string; readonly subscription?: string; readonly invoice?: string }
  /** Emits the events that the real provider sends after that of the session. */
  emitLater(): void
}

function subscribe(
  context: ProviderContext,
  session: CheckoutSession,
  terms: SessionTerms,
  customer: Customer | null,
): Outcome {
  if (!customer) throw new Error(`${session.id} is a subscription without a customer`)
  const { subscription, invoice } = startSubscription(context, {
    customer: customer.id,
    currency: session.currency,
    lineItems: terms.lineItems,
    metadata: terms.subscriptionMetadata,
    trialDays: terms.trialDays,
  })
  return { fields: { subscription: subscription.id, invoice: invoice.id }, emitLater: () => {} }
}

function payOnce(
  context: ProviderContext,
  session: CheckoutSession,
  terms: SessionTerms,
  customer: Customer | null,
  email: string,
): Outcome {
  const { currency, amount_total: amount } = session
  const draft =
    terms.invoice && customer
      ? draftInvoice(context, {
          customer: customer.id,
          currency,
          subscription: null,
          reason: 'manual',
          metadata: terms.invoice.metadata,
          description: terms.invoice.description,
          lines: terms.lineItems.map(({ price, quantity, amount_total, description }) => ({
            price,
            quantity,
            amount: amount_total,
            description,
            start: context.now(),
            end: context.now(),
          })),
        })
      : null
  if (amount === 0) {
    return { fields: draft ? { invoice: draft.id } : {}, emitLater: () => draft && settleInvoice(context, draft.id) }
  }
  const paid = takePayment(context, {
    amount,
    currency,
    customer: customer?.id ?? null,
    email,
    description: terms.intentDescription,
    invoice: draft?.id ?? null,
    metadata: terms.intentMetadata,
  })
  const { charge } = paid
  const intent = withMethod(context, paid.intent, terms.savesMethod ? customer : null)
  return {
    fields: { payment_intent: intent.id, ...(draft ? { invoice: draft.id } : {}) },
    emitLater: () => draft && settleInvoice(context, draft.id, { intent: intent.id, charge: charge.id }),
  }
}

/** Every payment names its method, but only one that is saved for a customer is kept and can be used again. */
function withMethod(context: ProviderContext, intent: PaymentIntent, saved: Customer | null): PaymentIntent {
  const payment_method = saved ? savePaymentMethod(context, saved.id).id : context.newId('paymentMethod')
  const setup_future_usage = saved ? 'off_session' : null
  return context.state.put('paymentIntent', { ...intent, payment_method, setup_future_usage })
}

/** The invoice of a one-time payment is finalized after the payment was taken. */
function settleInvoice(
  context: ProviderContext,
  invoiceId: string,
  by?: { readonly intent: string; readonly charge: string },
): void {
  const draft = context.state.get('invoice', invoiceId)
  if (!draft) throw new Error(`${invoiceId} was not found in the transaction that created it`)
  payInvoice(context, finalizeInvoice(context, draft), by)
}

function customerOf(context: ProviderContext, session: CheckoutSession, terms: SessionTerms): Customer | null {
  if (session.customer !== null) return context.state.get('customer', session.customer) ?? null
  return terms.createsCustomer ? createCustomer(context, { email: session.customer_email ?? GUEST_EMAIL }) : null
}
