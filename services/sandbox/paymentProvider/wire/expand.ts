import type { ProviderContext } from '../providerContext.ts'
import { wholeList } from './listPage.ts'
import { invalidParam } from './paymentApiError.ts'

/** Fields that hold an id, and of what. */
const REFERENCES = {
  customer: 'customer',
  product: 'product',
  payment_intent: 'paymentIntent',
  latest_charge: 'charge',
  charge: 'charge',
  invoice: 'invoice',
  latest_invoice: 'invoice',
  subscription: 'subscription',
} as const

const DEPTH_MAX = 4

type Part = { readonly [field: string]: unknown }

/** `expand[]=payment_intent.latest_charge`: puts objects in the place of their ids, in a copy. */
export function expanded(context: ProviderContext, answer: Part, paths: readonly string[]): Part {
  return paths.reduce((object, path) => along(context, object, path.split('.'), path), answer)
}

function along(context: ProviderContext, part: Part, steps: readonly string[], path: string): Part {
  const [step, ...rest] = steps
  if (step === undefined) return part
  if (steps.length > DEPTH_MAX) {
    throw invalidParam('expand', `You cannot expand more than ${DEPTH_MAX} levels of a property (${path}).`)
  }
  const value = step === 'line_items' ? lineItemsOf(context, part) : part[step]
  if (value === undefined) throw invalidParam('expand', `This property cannot be expanded (${path}).`)
  if (value === null) return part
  if (Array.isArray(value)) return { ...part, [step]: value.map((item: Part) => along(context, item, rest, path)) }
  if (typeof value === 'object') return { ...part, [step]: along(context, value as Part, rest, path) }
  const kind = REFERENCES[step as keyof typeof REFERENCES]
  const found = kind && context.state.get(kind, String(value))
  if (!found) throw invalidParam('expand', `This property cannot be expanded (${path}).`)
  return { ...part, [step]: along(context, found, rest, path) }
}

/** A session shows what is bought only when it is asked to. */
function lineItemsOf(context: ProviderContext, { object, id }: Part): object | undefined {
  const terms = object === 'checkout.session' ? context.state.get('sessionTerms', String(id)) : undefined
  return terms && wholeList(`/v1/checkout/sessions/${String(id)}/line_items`, terms.lineItems)
}
