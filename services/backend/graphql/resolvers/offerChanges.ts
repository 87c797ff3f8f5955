import type { OfferChanges } from '../../../../domain/offerChange.ts'
import type { UpdateCreditPackInput, UpdatePlanInput } from '../generated.ts'

/** The changes of a plan or a credit pack. null leaves a field as it is. */
export function changesIn({ name, sortOrder }: UpdatePlanInput | UpdateCreditPackInput): OfferChanges {
  return { ...(name != null && { name }), ...(sortOrder != null && { sortOrder }) }
}
