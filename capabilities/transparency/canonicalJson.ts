/**
 * RFC 8785 (JCS). JSON.stringify writes numbers and strings as the RFC requires, and sort() orders names by their
 * UTF-16 code units, so only ordering names and refusing what JSON cannot represent remain. Every entry of the log is
 * written by it.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return canonicalString(value)
  if (typeof value === 'object') {
    if (value === null) return 'null'
    return Array.isArray(value) ? arrayText(value) : objectText(value as Record<string, unknown>)
  }
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value !== 'number') throw new TypeError(`a ${typeof value} has no canonical form`)
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical form`)
  return String(value)
}

/** Ids, numbers and times need no escaping, and checking that is faster than JSON.stringify. */
const PLAIN = /^[ !#-[\]-~]*$/

export function canonicalString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  if (!text.isWellFormed()) throw new TypeError('a lone surrogate has no canonical form')
  return JSON.stringify(text)
}

function arrayText(items: readonly unknown[]): string {
  let text = '['
  for (let at = 0; at < items.length; at += 1) {
    if (at > 0) text += ','
    text += canonicalJson(items[at])
  }
  return `${text}]`
}

function objectText(members: Readonly<Record<string, unknown>>): string {
  const { sorted, beginnings } = orderOf(Object.keys(members))
  let text = '{'
  for (let at = 0; at < sorted.length; at += 1) {
    text += beginnings[at]
    text += canonicalJson(members[sorted[at] as string])
  }
  return `${text}}`
}

/**
 * Writes the canonical JSON of objects without some of their members and with another text member, without creating
 * those objects.
 */
export function canonicalJsonWith(omitted: readonly string[], added: string) {
  const plans = new WeakMap<NameOrder, { readonly order: NameOrder; readonly place: number }>()
  const planOf = (whole: NameOrder) => {
    let plan = plans.get(whole)
    if (!plan) {
      const order = newOrder([...whole.names.filter((name) => !omitted.includes(name)), added])
      plan = { order, place: order.sorted.indexOf(added) }
      plans.set(whole, plan)
    }
    return plan
  }
  return (members: Readonly<Record<string, unknown>>, value: string): string => {
    const { order, place } = planOf(orderOf(Object.keys(members)))
    const { sorted, beginnings } = order
    let text = '{'
    for (let at = 0; at < sorted.length; at += 1) {
      text += beginnings[at]
      text += at === place ? canonicalString(value) : canonicalJson(members[sorted[at] as string])
    }
    return `${text}}`
  }
}

/** How objects with names in a certain order are written. */
type NameOrder = {
  readonly names: readonly string[]
  readonly sorted: readonly string[]
  /** For each of the sorted names, the text before its value. */
  readonly beginnings: readonly string[]
}

/**
 * The orders seen so far, by their first name. Nearly all objects have one of a few shapes, and sorting the names of
 * each would take longer than writing it.
 */
const known = new Map<string | undefined, NameOrder[]>()
const FIRST_NAMES_MAX = 200
const ORDERS_PER_FIRST_NAME_MAX = 20
/** No event has more names. Objects with more are maps, and no two maps are alike. */
const NAMES_MAX = 100

function orderOf(names: readonly string[]): NameOrder {
  const orders = known.get(names[0])
  if (orders) for (const order of orders) if (isSame(order.names, names)) return order
  const order = newOrder(names)
  if (names.length <= NAMES_MAX) remember(order)
  return order
}

function newOrder(names: readonly string[]): NameOrder {
  const sorted = names.toSorted()
  const beginnings = sorted.map((name, at) => `${at > 0 ? ',' : ''}${canonicalString(name)}:`)
  return { names, sorted, beginnings }
}

function remember(order: NameOrder): void {
  const [first] = order.names
  const orders = known.get(first) ?? []
  if (orders.length >= ORDERS_PER_FIRST_NAME_MAX) orders.length = 0
  if (orders.length === 0 && known.size >= FIRST_NAMES_MAX) known.clear()
  orders.push(order)
  known.set(first, orders)
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false
  return true
}
