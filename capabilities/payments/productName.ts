import type { Offer } from './offers.ts'
import type { PaymentProvider, Pricing } from './paymentProvider.ts'

/** How many renames one call passes on while it is sending; later ones are left to their own callers. */
const RENAMES_MAX = 10

/**
 * Renames the product at the provider to match the offer. The name is read again after each change: of two concurrent
 * renames, the one that reaches the provider last may be the older one.
 *
 * @param sent the name that the provider already has, if any
 */
export async function nameProduct(
  provider: Pick<PaymentProvider, 'renameProduct'>,
  productId: string,
  nameNow: () => Promise<string>,
  sent: string | null,
): Promise<void> {
  let last = sent
  for (let rename = 0; rename < RENAMES_MAX; rename++) {
    const name = await nameNow()
    if (name === last) return
    await provider.renameProduct(productId, name)
    last = name
  }
}

/**
 * Gives an offer its product and price at the provider, and records them. The name comes last: a rename before the price was
 * recorded did not reach the provider.
 */
export async function priceOffer<Recorded>(
  provider: Pick<PaymentProvider, 'ensureOffer' | 'renameProduct'>,
  offer: Offer,
  record: (pricing: Pricing) => Promise<Recorded>,
  nameNow: () => Promise<string>,
): Promise<Recorded> {
  const pricing = await provider.ensureOffer(offer)
  const recorded = await record(pricing)
  await nameProduct(provider, pricing.productId, nameNow, offer.name)
  return recorded
}
