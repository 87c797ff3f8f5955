import { z } from 'zod'
import type { ProviderContext } from '../providerContext.ts'
import { requireRecord, requireReferenced } from '../state/recordLookup.ts'
import type { Price } from '../state/records.ts'
import { listPage } from '../wire/listPage.ts'
import {
  amount,
  changedMetadata,
  currency,
  emptiedToNull,
  flag,
  integer,
  metadata,
  optionalText,
  readParams,
  text,
} from '../wire/params.ts'
import { invalidParam } from '../wire/paymentApiError.ts'
import type { PaymentOperation } from '../wire/paymentOperation.ts'

const interval = z.enum(['day', 'week', 'month', 'year'], 'must be one of day, week, month, or year')

const fields = {
  active: flag.optional(),
  metadata: metadata.optional(),
  nickname: optionalText,
  lookup_key: z.string().max(200).optional(),
  transfer_lookup_key: flag.optional(),
  tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).optional(),
}
const creation = z.strictObject({
  ...fields,
  currency,
  product: text,
  unit_amount: amount,
  billing_scheme: z.literal('per_unit').optional(),
  recurring: z
    .strictObject({
      interval,
      interval_count: integer.refine((count) => count >= 1 && count <= 1_095, 'must be at least 1').optional(),
      usage_type: z.literal('licensed').optional(),
    })
    .optional(),
})
const change = z.strictObject(fields)
const filters = {
  active: flag.optional(),
  currency: currency.optional(),
  lookup_keys: z.array(text).max(10, 'has more than 10 keys').optional(),
  product: text.optional(),
  type: z.enum(['one_time', 'recurring']).optional(),
  recurring: z.strictObject({ interval: interval.optional() }).optional(),
}

export const priceOperations: readonly PaymentOperation[] = [
  {
    method: 'POST',
    path: '/v1/prices',
    handle: (context, form) => {
      const given = readParams(creation, form)
      const { id: product } = requireReferenced(context, 'product', given.product, 'product')
      const lookupKey = takeLookupKey(context, null, given.lookup_key, given.transfer_lookup_key)
      const { recurring } = given
      return context.state.put('price', {
        id: context.newId('price'),
        object: 'price',
        active: given.active ?? true,
        billing_scheme: 'per_unit',
        created: context.now(),
        currency: given.currency,
        custom_unit_amount: null,
        livemode: false,
        lookup_key: lookupKey ?? null,
        metadata: changedMetadata({}, given.metadata),
        nickname: given.nickname || null,
        product,
        recurring: recurring
          ? {
              aggregate_usage: null,
              interval: recurring.interval,
              interval_count: recurring.interval_count ?? 1,
              trial_period_days: null,
              usage_type: 'licensed',
            }
          : null,
        tax_behavior: given.tax_behavior ?? 'unspecified',
        tiers_mode: null,
        transform_quantity: null,
        type: recurring ? 'recurring' : 'one_time',
        unit_amount: given.unit_amount,
        unit_amount_decimal: String(given.unit_amount),
      })
    },
  },
  { method: 'GET', path: '/v1/prices/:id', handle: (context, _, id) => requireRecord(context, 'price', id) },
  {
    method: 'POST',
    path: '/v1/prices/:id',
    handle: (context, form, id) => {
      const { metadata, lookup_key, transfer_lookup_key, ...given } = readParams(change, form)
      const price = requireRecord(context, 'price', id)
      const lookupKey = takeLookupKey(context, price, lookup_key, transfer_lookup_key)
      return context.state.put('price', {
        ...price,
        ...emptiedToNull(given),
        lookup_key: lookupKey === undefined ? price.lookup_key : lookupKey,
        metadata: changedMetadata(price.metadata, metadata),
      })
    },
  },
  {
    method: 'GET',
    path: '/v1/prices',
    handle: ({ state }, form) =>
      listPage(
        form,
        filters,
        '/v1/prices',
        state.all('price'),
        (price, filter) =>
          (filter.active === undefined || price.active === filter.active) &&
          (filter.currency === undefined || price.currency === filter.currency) &&
          (filter.product === undefined || price.product === filter.product) &&
          (filter.type === undefined || price.type === filter.type) &&
          (filter.recurring?.interval === undefined || price.recurring?.interval === filter.recurring.interval) &&
          (filter.lookup_keys === undefined || filter.lookup_keys.includes(price.lookup_key ?? '')),
      ),
  },
]

/**
 * Assigns a lookup key, which only one price can have; `transfer` takes it from another price. Returns null if the key
 * is removed, undefined if the request does not change it.
 */
function takeLookupKey(
  { state }: ProviderContext,
  own: Price | null,
  key: string | undefined,
  transfer = false,
): string | null | undefined {
  if (key === undefined) return undefined
  if (key === '') return null
  const holder = state.all('price').find((price) => price.lookup_key === key && price.id !== own?.id)
  if (holder && !transfer) {
    throw invalidParam(
      'lookup_key',
      `A price (\`${holder.id}\`) already uses that lookup key.`,
      'resource_already_exists',
    )
  }
  if (holder) state.put('price', { ...holder, lookup_key: null })
  return key
}
