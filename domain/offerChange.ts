import { NAME_CHARS_MAX } from '../contracts/limits.ts'
import { Refusal } from './decider.ts'
import { requireText } from './text.ts'

/** What can be changed about a plan or a credit pack: its name, and its place in the list. */
export type OfferChanges = { readonly name?: string; readonly sortOrder?: number }

/** The changes that differ from the current values; null if none do. */
export function changedOffer(
  present: Required<OfferChanges>,
  { name, sortOrder }: OfferChanges,
  what: 'plan' | 'credit pack',
): OfferChanges | null {
  if (name === undefined && sortOrder === undefined) {
    throw new Refusal('INVALID', `nothing to change about the ${what}: give name or sortOrder`)
  }
  const wanted = {
    ...(name !== undefined && { name: requireOfferName(name, what) }),
    ...(sortOrder !== undefined && { sortOrder: requireSortOrder(sortOrder) }),
  }
  const changed = Object.entries(wanted).filter(([field, value]) => value !== present[field as keyof OfferChanges])
  return changed.length === 0 ? null : Object.fromEntries(changed)
}

export function requireOfferName(name: string, what: 'plan' | 'credit pack'): string {
  return requireText(name, `the name of a ${what}`, NAME_CHARS_MAX)
}

export function requireSortOrder(sortOrder: number): number {
  if (!Number.isSafeInteger(sortOrder)) throw new Refusal('INVALID', 'sortOrder must be a whole number')
  return sortOrder
}
