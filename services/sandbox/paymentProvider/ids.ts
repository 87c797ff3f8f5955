import { randomBytes } from 'node:crypto'

const PREFIXES = {
  product: 'prod_',
  price: 'price_',
  customer: 'cus_',
  checkoutSession: 'cs_test_',
  lineItem: 'li_',
  subscription: 'sub_',
  subscriptionItem: 'si_',
  invoice: 'in_',
  invoiceItem: 'ii_',
  invoiceLine: 'il_',
  paymentIntent: 'pi_',
  charge: 'ch_',
  refund: 're_',
  event: 'evt_',
  request: 'req_',
} as const

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 24

/** Looks like one of the real provider's, so that nothing downstream learns to expect another form. */
export function newId(kind: keyof typeof PREFIXES): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => LETTERS[byte % LETTERS.length])
  return PREFIXES[kind] + letters.join('')
}
