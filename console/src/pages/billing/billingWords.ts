import type { BillingQuery, OffersQuery, WebhookDeliveriesQuery } from '../../graphql/generated.ts'
import type { Tone } from '../../parts/Badge.tsx'

export type Plan = OffersQuery['plans'][number]
export type Pack = OffersQuery['creditPacks'][number]
export type Subscription = NonNullable<BillingQuery['subscription']>
export type Purchase = BillingQuery['purchases'][number]
export type Invoice = BillingQuery['invoices'][number]
export type Delivery = WebhookDeliveriesQuery['webhookDeliveries'][number]

type Word = { readonly name: string; readonly tone: Tone }

export const PURCHASE: Readonly<Record<Purchase['status'], Word>> = {
  PENDING: { name: 'Waiting for payment', tone: 'plain' },
  COMPLETED: { name: 'Paid', tone: 'good' },
  FAILED: { name: 'Failed', tone: 'danger' },
  EXPIRED: { name: 'Not paid', tone: 'plain' },
}

export const SUBSCRIPTION: Readonly<Record<Subscription['status'], Word>> = {
  INCOMPLETE: { name: 'Waiting for payment', tone: 'plain' },
  TRIALING: { name: 'Trial', tone: 'good' },
  ACTIVE: { name: 'Active', tone: 'good' },
  PAST_DUE: { name: 'Past due', tone: 'warning' },
  PAUSED: { name: 'Paused', tone: 'warning' },
  UNPAID: { name: 'Unpaid', tone: 'danger' },
  CANCELED: { name: 'Ended', tone: 'plain' },
}

export const INVOICE: Readonly<Record<Invoice['status'], Word>> = {
  DRAFT: { name: 'Draft', tone: 'plain' },
  OPEN: { name: 'Open', tone: 'warning' },
  PAID: { name: 'Paid', tone: 'good' },
  PAYMENT_FAILED: { name: 'Payment failed', tone: 'danger' },
  ACTION_REQUIRED: { name: 'Needs your action', tone: 'danger' },
  FINALIZATION_FAILED: { name: 'Could not be issued', tone: 'danger' },
  UPCOMING: { name: 'Upcoming', tone: 'plain' },
  VOID: { name: 'Void', tone: 'plain' },
  UNCOLLECTIBLE: { name: 'Written off', tone: 'plain' },
}

export const DELIVERY: Readonly<Record<Delivery['state'], Word>> = {
  PENDING: { name: 'Waiting', tone: 'plain' },
  DELIVERED: { name: 'Delivered', tone: 'good' },
  FAILED: { name: 'Failed', tone: 'danger' },
  CANCELED: { name: 'Canceled', tone: 'plain' },
}

const PAYABLE: readonly Invoice['status'][] = ['OPEN', 'PAYMENT_FAILED', 'ACTION_REQUIRED']

/** Whether the invoice can still be paid on the provider's page. */
export function isPayable({ status, hostedUrl }: Pick<Invoice, 'status' | 'hostedUrl'>): boolean {
  return hostedUrl !== null && PAYABLE.includes(status)
}

/** Whether a super admin can settle or void the invoice: it is for usage, and neither paid nor void. */
export function canEnd({ status, month }: Pick<Invoice, 'status' | 'month'>): boolean {
  return month !== null && (PAYABLE.includes(status) || status === 'UNCOLLECTIBLE')
}

/** Plans that the company can choose: for sale, prepaid, and known to the payment provider. */
export function plansForSale(plans: readonly Plan[]): Plan[] {
  return plans.filter(
    ({ active, billingMode, needsProviderPricing }) => active && billingMode === 'PREPAID' && !needsProviderPricing,
  )
}

/** When the mail about a low balance is sent. */
export function noticeWords({ lowBalance, lowBalanceCredits }: BillingQuery['noticeSettings']): string {
  switch (lowBalance) {
    case 'DEFAULT':
      return 'by default'
    case 'AMOUNT':
      return `below ${(lowBalanceCredits ?? 0).toLocaleString()} credits`
    case 'OFF':
      return 'never'
  }
}

type Facts = readonly { readonly facts: readonly { readonly name: string; readonly value: string | null }[] }[]

/** The hard cap according to the newest of these trail entries; null if none mentions it. */
export function hardCapOf(...entries: readonly Facts[]): boolean | null {
  for (const nodes of entries) {
    const value = nodes[0]?.facts.find(({ name }) => name === 'hardCap')?.value
    if (value !== undefined && value !== null) return value === 'true'
  }
  return null
}

export const MESSAGE_TYPES = [
  'balance.low',
  'balance.exhausted',
  'key.expiring',
  'key.budget_reached',
  'invoice.open',
  'invoice.paid',
  'subscription.changed',
  'company.suspended',
  'dispute.opened',
  'dispute.closed',
] as const
