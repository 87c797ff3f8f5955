import { hash } from 'node:crypto'
import type { Ids } from '../../../platform/ids/ids.ts'

const PREFIXES = {
  product: 'prod_',
  price: 'price_',
  customer: 'cus_',
  checkoutSession: 'cs_test_',
  lineItem: 'li_',
  subscription: 'sub_',
  subscriptionItem: 'si_',
  subscriptionSchedule: 'sub_sched_',
  invoice: 'in_',
  invoiceItem: 'ii_',
  invoiceLine: 'il_',
  paymentIntent: 'pi_',
  paymentMethod: 'pm_',
  charge: 'ch_',
  refund: 're_',
  dispute: 'du_',
  event: 'evt_',
  request: 'req_',
} as const

export type IdKind = keyof typeof PREFIXES

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 24

/** A random id in the format of the real provider, so that no code downstream comes to expect another one. */
export function newId(ids: Ids, kind: IdKind): string {
  const bytes = hash('sha256', ids.uuid(), 'buffer').subarray(0, LENGTH)
  return PREFIXES[kind] + Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('')
}
