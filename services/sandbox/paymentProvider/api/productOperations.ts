import { z } from 'zod'
import { requireRecord } from '../state/recordLookup.ts'
import { listPage } from '../wire/listPage.ts'
import { changedMetadata, emptiedToNull, flag, metadata, optionalText, readParams, text } from '../wire/params.ts'
import { invalidState } from '../wire/paymentApiError.ts'
import type { PaymentOperation } from '../wire/paymentOperation.ts'

const fields = {
  description: optionalText,
  active: flag.optional(),
  metadata: metadata.optional(),
  url: optionalText,
  unit_label: optionalText,
  statement_descriptor: optionalText,
  tax_code: optionalText,
}
const creation = z.strictObject({ id: text.max(255).optional(), name: text, ...fields })
const change = z.strictObject({ name: text.optional(), ...fields })

export const productOperations: readonly PaymentOperation[] = [
  {
    method: 'POST',
    path: '/v1/products',
    handle: ({ state, now, newId }, form) => {
      const { id = newId('product'), active = true, ...given } = readParams(creation, form)
      if (state.get('product', id)) throw invalidState('Product already exists.', 'resource_already_exists')
      return state.put('product', {
        id,
        object: 'product',
        active,
        created: now(),
        default_price: null,
        description: given.description || null,
        features: [],
        images: [],
        livemode: false,
        metadata: changedMetadata({}, given.metadata),
        name: given.name,
        package_dimensions: null,
        shippable: null,
        statement_descriptor: given.statement_descriptor || null,
        tax_code: given.tax_code || null,
        type: 'service',
        unit_label: given.unit_label || null,
        updated: now(),
        url: given.url || null,
      })
    },
  },
  { method: 'GET', path: '/v1/products/:id', handle: (context, _, id) => requireRecord(context, 'product', id) },
  {
    method: 'POST',
    path: '/v1/products/:id',
    handle: (context, form, id) => {
      const before = requireRecord(context, 'product', id)
      const { metadata, ...given } = readParams(change, form)
      return context.state.put('product', {
        ...before,
        ...emptiedToNull(given),
        metadata: changedMetadata(before.metadata, metadata),
        updated: context.now(),
      })
    },
  },
  {
    method: 'GET',
    path: '/v1/products',
    handle: ({ state }, form) =>
      listPage(
        form,
        { active: flag.optional(), ids: z.array(text).optional() },
        '/v1/products',
        state.all('product'),
        (product, { active, ids }) =>
          (active === undefined || product.active === active) && (ids === undefined || ids.includes(product.id)),
      ),
  },
]
