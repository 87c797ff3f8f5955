import { z } from 'zod'
import { newId } from '../ids.ts'
import type { Customer } from '../state/records.ts'
import { type Till, theOne } from '../till.ts'
import { listPage } from '../wire/listPage.ts'
import { changedMetadata, type Metadata, metadata, optionalText, readParams } from '../wire/params.ts'
import type { ApiRoute } from '../wire/route.ts'
import { emptiedToNull } from './products.ts'

const fields = z.strictObject({
  email: z.string().max(512).optional(),
  name: optionalText,
  description: optionalText,
  phone: optionalText,
  metadata: metadata.optional(),
})

export const customerRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v1/customers',
    handle: (till, form) => {
      const { email, name, description, phone, metadata } = readParams(fields, form)
      return createCustomer(till, {
        email: email || null,
        name: name || null,
        description: description || null,
        phone: phone || null,
        metadata: changedMetadata({}, metadata),
      })
    },
  },
  { method: 'GET', path: '/v1/customers/:id', handle: (till, _, id) => theOne(till, 'customer', id) },
  {
    method: 'POST',
    path: '/v1/customers/:id',
    handle: (till, form, id) => {
      const { metadata, ...given } = readParams(fields, form)
      const before = theOne(till, 'customer', id)
      return till.state.put('customer', {
        ...before,
        ...emptiedToNull(given),
        metadata: changedMetadata(before.metadata, metadata),
      })
    },
  },
  {
    method: 'GET',
    path: '/v1/customers',
    handle: ({ state }, form) =>
      listPage(
        form,
        { email: z.string().optional() },
        '/v1/customers',
        state.all('customer'),
        (customer, { email }) => email === undefined || customer.email === email,
      ),
  },
]

export type CustomerFacts = {
  readonly email: string | null
  readonly name?: string | null
  readonly description?: string | null
  readonly phone?: string | null
  readonly metadata?: Metadata
}

export function createCustomer({ state, now }: Till, facts: CustomerFacts): Customer {
  const { email, name = null, description = null, phone = null, metadata = {} } = facts
  return state.put('customer', {
    id: newId('customer'),
    object: 'customer',
    address: null,
    balance: 0,
    created: now(),
    currency: null,
    default_source: null,
    delinquent: false,
    description,
    discount: null,
    email,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata,
    name,
    phone,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
  })
}
