import type { StatementEntryFieldsFragment } from '../../graphql/generated.ts'

export type Entry = StatementEntryFieldsFragment

const NAMES: Readonly<Record<Entry['type'], string>> = {
  PACK_PURCHASE: 'Credit pack',
  SUBSCRIPTION: 'Subscription',
  ADJUSTMENT: 'Adjustment',
  PROMOTION: 'Promotion',
  ROLLOVER: 'Rolled over',
  USAGE: 'Call',
  REVERSAL: 'Call reversed',
  REFUND: 'Refund',
  SETTLEMENT: 'Invoice paid',
  EXPIRY: 'Expiry',
  DISPUTE: 'Dispute',
  FAILED: 'Failed call',
  MONTH_CLOSED: 'Month closed',
  MONTH_BILLED: 'Month billed',
  PRICES: 'Prices',
}

export function entryName(type: string): string {
  return NAMES[type as Entry['type']] ?? type
}
