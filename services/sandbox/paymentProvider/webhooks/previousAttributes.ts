import type { Wire } from '../state/records.ts'

/** The fields of `after` that were different, as they were: what an update's event calls previous attributes. */
export function previousAttributes(before: Wire, after: Wire): object {
  const changed = Object.keys(after).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  return Object.fromEntries(changed.map((field) => [field, before[field] ?? null]))
}
