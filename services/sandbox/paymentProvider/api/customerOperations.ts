import { z } from 'zod'
import { createCustomer } from '../billing/createCustomer.ts'
import { requireRecord } from '../state/recordLookup.ts'
import { listPage } from '../wire/listPage.ts'
import { changedMetadata, emptiedToNull, metadata, optionalText, readParams } from '../wire/params.ts'
import type { PaymentOperation } from '../wire/paymentOperation.ts'

const fields = z.strictObject({
  email: z.string().max(512).optional(),
  name: optionalText,
  description: optionalText,
  phone: optionalText,
  metadata: metadata.optional(),
})

export const customerOperations: readonly PaymentOperation[] = [
  {
    method: 'POST',
    path: '/v1/customers',
    handle: (context, form) => {
      const { email, name, description, phone, metadata } = readParams(fields, form)
      return createCustomer(context, {
        email: email || null,
        name: name || null,
        description: description || null,
        phone: phone || null,
        metadata: changedMetadata({}, metadata),
      })
    },
  },
  { method: 'GET', path: '/v1/customers/:id', handle: (context, _, id) => requireRecord(context, 'customer', id) },
  {
    method: 'POST',
    path: '/v1/customers/:id',
    handle: (context, form, id) => {
      const { metadata, ...given } = readParams(fields, form)
      const before = requireRecord(context, 'customer', id)
      return context.state.put('customer', {
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
