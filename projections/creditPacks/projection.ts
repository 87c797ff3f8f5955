import type { CreditPackEvent } from '../../contracts/events/creditPack.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type CreditPackRow = {
  readonly packId: string
  readonly name: string
  /** PENDING until the pack has a price at the payment provider. */
  readonly status: 'PENDING' | 'ACTIVE' | 'RETIRED'
  readonly creditsMicros: string
  /** In major units of the currency. */
  readonly price: string
  readonly currency: string
  readonly sortOrder: string
  /** How many days after the payment the credits can be used; null if they do not expire. */
  readonly validDays: string | null
  readonly providerProductId: string | null
  readonly providerPriceId: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export const creditPacks: Projection<CreditPackRow, CreditPackEvent> = {
  name: 'credit-packs',
  version: 3,
  categories: ['creditPack'],
  table: 'credit_packs',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['packId'],
  rowsOf: (event) => [{ packId: event.data.packId }],
  evolve: (row, event) => {
    if (event.type === 'CreditPackCreated') {
      const { packId, name, creditsMicros, price, currency, sortOrder, validDays, createdAt } = event.data
      const lasts = { validDays: validDays === null ? null : String(validDays) }
      const offer = { creditsMicros, price, currency, sortOrder: String(sortOrder), ...lasts }
      const provider = { providerProductId: null, providerPriceId: null }
      const times = { createdAt, updatedAt: createdAt }
      return { packId, name, status: 'PENDING', ...offer, ...provider, ...times }
    }
    if (!row) throw new Error(`${event.type} of credit pack ${event.data.packId}, which was never created`)
    switch (event.type) {
      case 'CreditPackPriced': {
        const { productId, priceId, pricedAt } = event.data
        const provider = { providerProductId: productId, providerPriceId: priceId }
        return { ...row, status: row.status === 'RETIRED' ? 'RETIRED' : 'ACTIVE', ...provider, updatedAt: pricedAt }
      }
      case 'CreditPackUpdated': {
        const { name = row.name, sortOrder = row.sortOrder, updatedAt } = event.data
        return { ...row, name, sortOrder: String(sortOrder), updatedAt }
      }
      case 'CreditPackRetired':
        return { ...row, status: 'RETIRED', updatedAt: event.data.retiredAt }
      default:
        return unexpected(event)
    }
  },
}
