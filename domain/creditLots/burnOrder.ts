import type { LotSource, LotTerms } from './facts.ts'

/** What the order depends on. The age counts the lots of a company in the order of their grants. */
export type Burnable = Pick<LotTerms, 'priority' | 'expiresAtMs'> & { readonly age: number }

/** Promotional credits are burned before those that were paid for. */
export function priorityOf(source: LotSource): number {
  return source === 'PROMOTION' ? 1 : 0
}

/** Compares two lots by priority, then by expiry, then by age: negative if the first one is burned first. */
export function compareBurnOrder(one: Burnable, other: Burnable): number {
  if (one.priority !== other.priority) return other.priority - one.priority
  const [expires, otherExpires] = [expiryMs(one), expiryMs(other)]
  if (expires !== otherExpires) return expires < otherExpires ? -1 : 1
  return one.age - other.age
}

/** Whether a call that is admitted at this moment may use the lot. */
export function isValidAt(lot: Pick<LotTerms, 'expiresAtMs'>, atMs: number): boolean {
  return expiryMs(lot) > atMs
}

/** The lots that a call admitted at this moment burns, the first one first. */
export function burnOrder<Lot extends Burnable>(lots: Iterable<Lot>, admittedAtMs: number): Lot[] {
  return [...lots].filter((lot) => isValidAt(lot, admittedAtMs)).toSorted(compareBurnOrder)
}

function expiryMs({ expiresAtMs }: Pick<LotTerms, 'expiresAtMs'>): number {
  return expiresAtMs ?? Number.POSITIVE_INFINITY
}
