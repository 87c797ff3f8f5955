import type { BillingMode } from '../../contracts/events/company.ts'
import type { PlanEvent } from '../../contracts/events/plan.ts'
import { unexpected } from '../../domain/decider.ts'
import { SORT_ORDER_DEFAULT } from '../../domain/plan/decider.ts'
import type { Projection } from '../projection.ts'

export type PlanRow = {
  readonly planId: string
  readonly name: string
  readonly active: boolean
  readonly billingMode: BillingMode
  /** In major units of the currency. */
  readonly price: string
  readonly currency: string
  readonly creditsPerPeriodMicros: string
  readonly dueDays: string
  /** In millionths; null if credits of the plan do not expire. */
  readonly rolloverShare: string | null
  readonly providerProductId: string | null
  readonly providerPriceId: string | null
  readonly sortOrder: string
  readonly createdAt: string
  readonly updatedAt: string
}

export const plans: Projection<PlanRow, PlanEvent> = {
  name: 'plans',
  version: 4,
  categories: ['plan'],
  table: 'plans',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['planId'],
  rowsOf: (event) => [{ planId: event.data.planId }],
  evolve: (row, event) => {
    if (event.type === 'PlanCreated') {
      const { planId, name, billingMode, price, currency, creditsPerPeriodMicros, createdAt } = event.data
      const { dueDays, rolloverShare } = event.data
      const offer = { price, currency, creditsPerPeriodMicros, dueDays: String(dueDays), rolloverShare }
      const provider = { providerProductId: null, providerPriceId: null }
      const times = { createdAt, updatedAt: createdAt }
      const sortOrder = String(SORT_ORDER_DEFAULT)
      return { planId, name, active: true, billingMode, ...offer, ...provider, sortOrder, ...times }
    }
    if (!row) throw new Error(`${event.type} of plan ${event.data.planId}, which was never created`)
    switch (event.type) {
      case 'PlanPriced': {
        const { productId, priceId, pricedAt } = event.data
        return { ...row, providerProductId: productId, providerPriceId: priceId, updatedAt: pricedAt }
      }
      case 'PlanUpdated': {
        const { name = row.name, sortOrder = row.sortOrder, updatedAt } = event.data
        return { ...row, name, sortOrder: String(sortOrder), updatedAt }
      }
      case 'PlanRetired':
        return { ...row, active: false, updatedAt: event.data.retiredAt }
      default:
        return unexpected(event)
    }
  },
}
