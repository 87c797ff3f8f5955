import type { Till } from '../till.ts'
import { wholeList } from './listPage.ts'
import { badParam } from './refusal.ts'

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
export function expanded(till: Till, answer: Part, paths: readonly string[]): Part {
  return paths.reduce((object, path) => along(till, object, path.split('.'), path), answer)
}

function along(till: Till, part: Part, steps: readonly string[], path: string): Part {
  const [step, ...rest] = steps
  if (step === undefined) return part
  if (steps.length > DEPTH_MAX) {
    throw badParam('expand', `You cannot expand more than ${DEPTH_MAX} levels of a property (${path}).`)
  }
  const value = step === 'line_items' ? lineItemsOf(till, part) : part[step]
  if (value === undefined) throw badParam('expand', `This property cannot be expanded (${path}).`)
  if (value === null) return part
  if (Array.isArray(value)) return { ...part, [step]: value.map((item: Part) => along(till, item, rest, path)) }
  if (typeof value === 'object') return { ...part, [step]: along(till, value as Part, rest, path) }
  const kind = REFERENCES[step as keyof typeof REFERENCES]
  const found = kind && till.state.get(kind, String(value))
  if (!found) throw badParam('expand', `This property cannot be expanded (${path}).`)
  return { ...part, [step]: along(till, found, rest, path) }
}

/** A session shows what is bought only when it is asked to. */
function lineItemsOf(till: Till, { object, id }: Part): object | undefined {
  const terms = object === 'checkout.session' ? till.state.get('sessionTerms', String(id)) : undefined
  return terms && wholeList(`/v1/checkout/sessions/${String(id)}/line_items`, terms.lineItems)
}
