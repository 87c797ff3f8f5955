import type { Wire } from '../state/records.ts'

/** The former values of the fields that changed: the `previous_attributes` of an update event. */
export function previousAttributes(before: Wire, after: Wire): object {
  const changed = Object.keys(after).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  return Object.fromEntries(changed.map((field) => [field, before[field] ?? null]))
}
