import type { ProviderContext } from '../providerContext.ts'
import { wholeList } from './listPage.ts'
import { invalidParam } from './paymentApiError.ts'

/** Fields that hold an id, with the kind of record that it refers to. */
const REFERENCES = {
  customer: 'customer',
  product: 'product',
  payment_intent: 'paymentIntent',
  payment_method: 'paymentMethod',
  latest_charge: 'charge',
  charge: 'charge',
  invoice: 'invoice',
  latest_invoice: 'invoice',
  subscription: 'subscription',
  schedule: 'subscriptionSchedule',
} as const

const DEPTH_MAX = 4

type Part = { readonly [field: string]: unknown }

/** A copy of the answer in which the ids at the paths (`payment_intent.latest_charge`) are replaced by their objects. */
export function expanded(context: ProviderContext, answer: Part, paths: readonly string[]): Part {
  return paths.reduce((object, path) => expandPath(context, object, path.split('.'), path), answer)
}

function expandPath(context: ProviderContext, part: Part, steps: readonly string[], path: string): Part {
  const [step, ...rest] = steps
  if (step === undefined) return part
  if (steps.length > DEPTH_MAX) {
    throw invalidParam('expand', `You cannot expand more than ${DEPTH_MAX} levels of a property (${path}).`)
  }
  const value = step === 'line_items' ? lineItemsOf(context, part) : part[step]
  if (value === undefined) throw invalidParam('expand', `This property cannot be expanded (${path}).`)
  if (value === null) return part
  if (Array.isArray(value)) return { ...part, [step]: value.map((item: Part) => expandPath(context, item, rest, path)) }
  if (typeof value === 'object') return { ...part, [step]: expandPath(context, value as Part, rest, path) }
  const kind = REFERENCES[step as keyof typeof REFERENCES]
  if (!kind) throw invalidParam('expand', `This property cannot be expanded (${path}).`)
  const found = context.state.get(kind, String(value))
  // The oldest records are evicted: what refers to them keeps their ids.
  if (!found) return part
  return { ...part, [step]: expandPath(context, found, rest, path) }
}

/** A session contains its line items only if they are expanded. */
function lineItemsOf(context: ProviderContext, { object, id }: Part): object | undefined {
  const terms = object === 'checkout.session' ? context.state.get('sessionTerms', String(id)) : undefined
  return terms && wholeList(`/v1/checkout/sessions/${String(id)}/line_items`, terms.lineItems)
}
