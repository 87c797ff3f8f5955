import type { BillingMode } from '../../contracts/events/company.ts'
import type { PlanEvent } from '../../contracts/events/plan.ts'
import { unexpected } from '../../domain/decider.ts'
import { SORT_ORDER_DEFAULT } from '../../domain/plan/decider.ts'
import type { Projection } from '../projection.ts'

export type PlanRow = {
  readonly plan_id: string
  readonly name: string
  readonly active: boolean
  readonly billing_mode: BillingMode
  /** In major units of the currency. */
  readonly price: string
  readonly currency: string
  readonly credits_per_period_micros: string
  readonly due_days: string
  readonly provider_product_id: string | null
  readonly provider_price_id: string | null
  readonly sort_order: string
  readonly created_at: string
  readonly updated_at: string
}

export const plans: Projection<PlanRow, PlanEvent> = {
  name: 'plans',
  version: 3,
  categories: ['plan'],
  table: 'plans',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['plan_id'],
  rowsOf: (event) => [{ plan_id: event.data.planId }],
  evolve: (row, event) => {
    if (event.type === 'PlanCreated') {
      const { planId, name, billingMode, price, currency, creditsPerPeriodMicros, dueDays, createdAt } = event.data
      const terms = { credits_per_period_micros: creditsPerPeriodMicros, due_days: String(dueDays) }
      const offer = { price, currency, ...terms }
      const provider = { provider_product_id: null, provider_price_id: null }
      const times = { created_at: createdAt, updated_at: createdAt }
      const place = { sort_order: String(SORT_ORDER_DEFAULT) }
      return {
        plan_id: planId,
        name,
        active: true,
        billing_mode: billingMode,
        ...offer,
        ...provider,
        ...place,
        ...times,
      }
    }
    if (!row) throw new Error(`${event.type} of plan ${event.data.planId}, which was never created`)
    switch (event.type) {
      case 'PlanPriced': {
        const { productId, priceId, pricedAt } = event.data
        return { ...row, provider_product_id: productId, provider_price_id: priceId, updated_at: pricedAt }
      }
      case 'PlanUpdated': {
        const { name = row.name, sortOrder = row.sort_order, updatedAt } = event.data
        return { ...row, name, sort_order: String(sortOrder), updated_at: updatedAt }
      }
      case 'PlanRetired':
        return { ...row, active: false, updated_at: event.data.retiredAt }
      default:
        return unexpected(event)
    }
  },
}
