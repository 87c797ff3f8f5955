import type { Offer } from './offers.ts'
import type { PaymentProvider, Pricing } from './paymentProvider.ts'

/** More renames than this while one of them is sent to the provider are left to the last of their callers. */
const RENAMES_MAX = 10

/**
 * Gives the product at the provider the name that the offer has here. The name is read again after each change: of two
 * renames at the same time, the one that reaches the provider last may be the older one.
 *
 * @param sent the name that the provider has been given already, if any
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
