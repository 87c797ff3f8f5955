import { shownAmount } from '../billing/shownAmount.ts'
import type { ProviderContext } from '../providerContext.ts'
import type { CheckoutSession, Invoice, LineItem, PaymentIntent, Recurring } from '../state/records.ts'
import { shownDay } from './shownTime.ts'

/** The amount due and its items, of a checkout session or an invoice. */
export type Bill = {
  readonly title: string
  readonly amount: string
  readonly note: string | null
  readonly lines: readonly { readonly what: string; readonly detail: string; readonly amount: string }[]
  readonly reference: string
  readonly email: string | null
}

export function billOfSession({ state }: ProviderContext, session: CheckoutSession): Bill {
  const terms = state.get('sessionTerms', session.id)
  const items = terms?.lineItems ?? []
  const recurring = items.find(({ price }) => price.recurring)?.price.recurring ?? null
  const trialDays = terms?.trialDays ?? 0
  return {
    title: session.mode === 'subscription' ? 'Subscribe' : 'Checkout',
    amount: shownAmount(session.amount_total, session.currency),
    note: noteOf(items, recurring, trialDays, session.currency),
    lines: items.map(({ description, quantity, price, amount_total }) => ({
      what: description,
      detail: `${quantity} × ${shownAmount(price.unit_amount, price.currency)}${
        price.recurring ? ` ${every(price.recurring)}` : ''
      }`,
      amount: shownAmount(amount_total, price.currency),
    })),
    reference: session.id,
    email: (session.customer && state.get('customer', session.customer)?.email) || session.customer_email,
  }
}

export function billOfInvoice({ state }: ProviderContext, invoice: Invoice): Bill {
  return {
    title: `Invoice ${String(invoice.number ?? invoice.id)}`,
    amount: shownAmount(invoice.amount_due, invoice.currency),
    note: invoice.due_date === null ? null : `Due on ${shownDay(invoice.due_date)}`,
    lines: invoice.lines.data.map(({ description, amount }) => ({
      what: description,
      detail: '',
      amount: shownAmount(amount, invoice.currency),
    })),
    reference: invoice.id,
    email: state.get('customer', invoice.customer)?.email ?? null,
  }
}

export function billOfIntent({ state }: ProviderContext, intent: PaymentIntent): Bill {
  const amount = shownAmount(intent.amount, intent.currency)
  return {
    title: 'Confirm a payment',
    amount,
    note: 'Your bank asks you to confirm it.',
    lines: [{ what: intent.description ?? 'Payment by the saved card', detail: '', amount }],
    reference: intent.id,
    email: (intent.customer && state.get('customer', intent.customer)?.email) || null,
  }
}

function noteOf(
  items: readonly LineItem[],
  recurring: Recurring | null,
  trialDays: number,
  currency: string,
): string | null {
  if (!recurring) return null
  if (trialDays === 0) return `Renews ${every(recurring)}`
  const regular = items.filter(({ price }) => price.recurring).reduce((sum, item) => sum + item.amount_total, 0)
  return `${trialDays} days free, then ${shownAmount(regular, currency)} ${every(recurring)}`
}

function every({ interval, interval_count }: Recurring): string {
  return interval_count === 1 ? `every ${interval}` : `every ${interval_count} ${interval}s`
}
