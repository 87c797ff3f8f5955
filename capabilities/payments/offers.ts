import { UUID_SOURCE } from '../../contracts/uuid.ts'
import { minorUnits } from '../../domain/price.ts'
import type { CreditPackRow } from '../../projections/creditPacks/projection.ts'
import type { PlanRow } from '../../projections/plans/projection.ts'

/** A plan or credit pack as stored at the payment provider. Both keys derive from our id, so nothing is created twice. */
export type Offer = {
  readonly productId: string
  readonly priceKey: string
  readonly name: string
  readonly unitAmount: number
  readonly currency: string
  readonly monthly: boolean
}

const PLAN_PRODUCT = new RegExp(`^tollgate_plan_(${UUID_SOURCE})$`)

export function planOffer({ planId, name, price, currency }: PlanRow): Offer {
  return offer(`tollgate_plan_${planId}`, name, price, currency, true)
}

type NamedPack = Pick<CreditPackRow, 'packId' | 'name' | 'price' | 'currency'>

export function packOffer({ packId, name, price, currency }: NamedPack): Offer {
  return offer(`tollgate_pack_${packId}`, name, price, currency, false)
}

/** The plan of a product at the provider; null if the product is not ours. */
export function planIdOfProduct(productId: string): string | null {
  return PLAN_PRODUCT.exec(productId)?.[1] ?? null
}

function offer(productId: string, name: string, price: string, currency: string, monthly: boolean): Offer {
  const unitAmount = Number(minorUnits(price, currency))
  return { productId, priceKey: `${productId}_price`, name, unitAmount, currency, monthly }
}
