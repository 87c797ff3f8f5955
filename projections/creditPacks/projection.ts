import type { CreditPackEvent } from '../../contracts/events/creditPack.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type CreditPackRow = {
  readonly pack_id: string
  readonly name: string
  /** PENDING until the pack has a price at the payment provider. */
  readonly status: 'PENDING' | 'ACTIVE' | 'RETIRED'
  readonly credits_micros: string
  /** In major units of the currency. */
  readonly price: string
  readonly currency: string
  readonly sort_order: string
  readonly provider_product_id: string | null
  readonly provider_price_id: string | null
  readonly created_at: string
  readonly updated_at: string
}

export const creditPacks: Projection<CreditPackRow, CreditPackEvent> = {
  name: 'credit-packs',
  version: 2,
  categories: ['creditPack'],
  table: 'credit_packs',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['pack_id'],
  rowsOf: (event) => [{ pack_id: event.data.packId }],
  evolve: (row, event) => {
    if (event.type === 'CreditPackCreated') {
      const { packId, name, creditsMicros, price, currency, sortOrder, createdAt } = event.data
      const offer = { credits_micros: creditsMicros, price, currency, sort_order: String(sortOrder) }
      const provider = { provider_product_id: null, provider_price_id: null }
      const times = { created_at: createdAt, updated_at: createdAt }
      return { pack_id: packId, name, status: 'PENDING', ...offer, ...provider, ...times }
    }
    if (!row) throw new Error(`${event.type} of credit pack ${event.data.packId}, which was never created`)
    switch (event.type) {
      case 'CreditPackPriced': {
        const { productId, priceId, pricedAt } = event.data
        const provider = { provider_product_id: productId, provider_price_id: priceId }
        return { ...row, status: row.status === 'RETIRED' ? 'RETIRED' : 'ACTIVE', ...provider, updated_at: pricedAt }
      }
      case 'CreditPackUpdated': {
        const { name = row.name, sortOrder = row.sort_order, updatedAt } = event.data
        return { ...row, name, sort_order: String(sortOrder), updated_at: updatedAt }
      }
      case 'CreditPackRetired':
        return { ...row, status: 'RETIRED', updated_at: event.data.retiredAt }
      default:
        return unexpected(event)
    }
  },
}
