import { startOfBook } from '../callLedger.ts'
import { only } from '../events.ts'
import type { Fold, Row } from './fold.ts'

/** Where an offer is shown before an admin moves it. */
const SORT_ORDER = 0

const priceBooks: Fold = {
  table: 'price_books',
  key: ['book_id'],
  rowsOf: (events) =>
    only(events, 'PriceBookPublished').map(({ data, revision, recordedAt }) => ({
      book_id: data.bookId,
      company_id: data.companyId,
      effective_from: startOfBook(data, recordedAt),
      prices: data.prices,
      retired: data.retired,
      replaces_all: data.replacesAll,
      published_at: data.publishedAt,
      revision,
    })),
}

const plans: Fold = {
  table: 'plans',
  key: ['plan_id'],
  rowsOf: (events) =>
    only(events, 'PlanCreated').map(({ data, stream }): Row => {
      const own = events.filter((event) => event.stream === stream)
      const priced = only(own, 'PlanPriced').at(-1)?.data
      const updates = only(own, 'PlanUpdated')
      const last = only(own, 'PlanPriced', 'PlanUpdated', 'PlanRetired').at(-1)
      return {
        plan_id: data.planId,
        name: updates.findLast((event) => event.data.name !== undefined)?.data.name ?? data.name,
        active: only(own, 'PlanRetired').length === 0,
        billing_mode: data.billingMode,
        price: data.price,
        currency: data.currency,
        credits_per_period_micros: data.creditsPerPeriodMicros,
        due_days: data.dueDays,
        rollover_share: data.rolloverShare,
        provider_product_id: priced?.productId,
        provider_price_id: priced?.priceId,
        sort_order: updates.findLast((event) => event.data.sortOrder !== undefined)?.data.sortOrder ?? SORT_ORDER,
        created_at: data.createdAt,
        updated_at: timeOfChange(last?.data) ?? data.createdAt,
      }
    }),
}

const creditPacks: Fold = {
  table: 'credit_packs',
  key: ['pack_id'],
  rowsOf: (events) =>
    only(events, 'CreditPackCreated').map(({ data, stream }): Row => {
      const own = events.filter((event) => event.stream === stream)
      const priced = only(own, 'CreditPackPriced').at(-1)?.data
      const updates = only(own, 'CreditPackUpdated')
      const isRetired = only(own, 'CreditPackRetired').length > 0
      const last = only(own, 'CreditPackPriced', 'CreditPackUpdated', 'CreditPackRetired').at(-1)
      const status = priced ? 'ACTIVE' : 'PENDING'
      return {
        pack_id: data.packId,
        name: updates.findLast((event) => event.data.name !== undefined)?.data.name ?? data.name,
        status: isRetired ? 'RETIRED' : status,
        credits_micros: data.creditsMicros,
        price: data.price,
        currency: data.currency,
        sort_order: updates.findLast((event) => event.data.sortOrder !== undefined)?.data.sortOrder ?? data.sortOrder,
        valid_days: data.validDays,
        provider_product_id: priced?.productId,
        provider_price_id: priced?.priceId,
        created_at: data.createdAt,
        updated_at: timeOfChange(last?.data) ?? data.createdAt,
      }
    }),
}

type Change = { readonly pricedAt?: string; readonly updatedAt?: string; readonly retiredAt?: string }

function timeOfChange(change: Change | undefined): string | undefined {
  return change?.pricedAt ?? change?.updatedAt ?? change?.retiredAt
}

export const offerFolds: readonly Fold[] = [priceBooks, plans, creditPacks]
