import { nameProduct } from '../../../../../capabilities/payments/productName.ts'
import type { OfferChanges } from '../../../../../domain/offerChange.ts'
import type { GraphqlContext } from '../../context.ts'
import type { UpdateCreditPackInput, UpdatePlanInput } from '../../generated.ts'
import { PartlyDone } from '../../maskError.ts'

/** The changes of a plan or a credit pack. null leaves a field as it is. */
export function changesIn({ name, sortOrder }: UpdatePlanInput | UpdateCreditPackInput): OfferChanges {
  return { ...(name != null && { name }), ...(sortOrder != null && { sortOrder }) }
}

/** If an offer has no product at the provider yet, the product gets its name when the offer is priced. */
export async function renameProductOf(
  { payments }: GraphqlContext,
  what: 'plan' | 'pack',
  row: { readonly providerProductId: string | null },
  nameNow: () => Promise<string>,
): Promise<void> {
  if (row.providerProductId === null) return
  await nameProduct(payments, row.providerProductId, nameNow, null).catch((error: unknown) => {
    throw new PartlyDone(`the ${what} is changed, but its name at the payment provider is not; try again`, error)
  })
}
