/**
 * RFC 8785 (JCS). JSON.stringify writes numbers and strings as the RFC demands, and sort() orders names by their UTF-16
 * code units, so only the order of names and the refusal of what JSON cannot hold are left to do.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>
    const names = Object.keys(members).sort()
    return `{${names.map((name) => `${canonicalJson(name)}:${canonicalJson(members[name])}`).join(',')}}`
  }
  if (typeof value === 'string' && !value.isWellFormed()) throw new TypeError('a lone surrogate has no canonical form')
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} has no canonical form`)
  const text: string | undefined = typeof value === 'bigint' ? undefined : JSON.stringify(value)
  if (text === undefined) throw new TypeError(`a ${typeof value} has no canonical form`)
  return text
}
