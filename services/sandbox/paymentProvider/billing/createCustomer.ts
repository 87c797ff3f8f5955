import type { ProviderContext } from '../providerContext.ts'
import type { Customer } from '../state/records.ts'
import type { Metadata } from '../wire/params.ts'

export type CustomerFacts = {
  readonly email: string | null
  readonly name?: string | null
  readonly description?: string | null
  readonly phone?: string | null
  readonly metadata?: Metadata
}

export function createCustomer({ state, now, newId }: ProviderContext, facts: CustomerFacts): Customer {
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
