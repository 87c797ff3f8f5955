/**
 * RFC 8785 (JCS). JSON.stringify writes numbers and strings as the RFC demands, and sort() orders names by their UTF-16
 * code units, so only the order of names and the refusal of what JSON cannot hold are left to do. Every entry of the log
 * is written by it: one JSON.stringify of a sorted copy takes half the time of one for each part.
 */
export function canonicalJson(value: unknown): string {
  const copy = sortedCopy(value)
  if (copy === UNUSUAL) return partByPart(value)
  const text = JSON.stringify(copy)
  // A lone surrogate is escaped; so may be a backslash before these letters.
  return text.includes('\\ud') ? partByPart(value) : text
}

/** The value has no canonical form, or its copy would have another order than the one in which it was made. */
const UNUSUAL = Symbol('unusual')
/** An object lists such names first, by their value; and assigning to __proto__ adds no member. */
const UNUSUAL_NAME = /^(?:\d+|__proto__)$/

function sortedCopy(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : UNUSUAL
  if (typeof value !== 'object') return UNUSUAL
  if (Array.isArray(value)) {
    const items = value.map(sortedCopy)
    return items.includes(UNUSUAL) ? UNUSUAL : items
  }
  const members = value as Record<string, unknown>
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(members).sort()) {
    const member = sortedCopy(members[name])
    if (member === UNUSUAL || UNUSUAL_NAME.test(name)) return UNUSUAL
    copy[name] = member
  }
  return copy
}

function partByPart(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(partByPart).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>
    const names = Object.keys(members).sort()
    return `{${names.map((name) => `${partByPart(name)}:${partByPart(members[name])}`).join(',')}}`
  }
  if (typeof value === 'string' && !value.isWellFormed()) throw new TypeError('a lone surrogate has no canonical form')
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} has no canonical form`)
  const text: string | undefined = typeof value === 'bigint' ? undefined : JSON.stringify(value)
  if (text === undefined) throw new TypeError(`a ${typeof value} has no canonical form`)
  return text
}
