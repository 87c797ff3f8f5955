/** The types of messages that companies can receive through webhooks. */
export const NOTICE_TYPES = [
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
export type NoticeType = (typeof NOTICE_TYPES)[number]
