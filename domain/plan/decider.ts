import type { BillingMode } from '../../contracts/events/company.ts'
import { type PlanEvent, rolloverShare } from '../../contracts/events/plan.ts'
import { DUE_DAYS_DEFAULT, DUE_DAYS_MAX } from '../../contracts/events/postpaid.ts'
import { requireAmount } from '../credits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { changedOffer, type OfferChanges, requireOfferName, requireSortOrder } from '../offerChange.ts'
import { requirePrice } from '../price.ts'

export type PlanState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'active' | 'retired'
      readonly name: string
      readonly sortOrder: number
      readonly billingMode: BillingMode
      readonly price: string
      readonly currency: string
      readonly creditsPerPeriodMicros: bigint
      readonly dueDays: number
      /** In millionths; null if credits of the plan do not expire. */
      readonly rolloverShare: string | null
      readonly priceId: string | null
    }

/** The place of a plan that was created without one. */
export const SORT_ORDER_DEFAULT = 0

export function evolve(state: PlanState, event: PlanEvent): PlanState {
  if (event.type === 'PlanCreated') {
    const { name, billingMode, price, currency, creditsPerPeriodMicros, dueDays, rolloverShare: share } = event.data
    const credits = { creditsPerPeriodMicros: BigInt(creditsPerPeriodMicros), dueDays, rolloverShare: share }
    const offer = { name, sortOrder: SORT_ORDER_DEFAULT, price, currency, ...credits }
    return { status: 'active', billingMode, ...offer, priceId: null }
  }
  if (state.status === 'unknown') return state
  switch (event.type) {
    case 'PlanPriced':
      return { ...state, priceId: event.data.priceId }
    case 'PlanUpdated': {
      const { name = state.name, sortOrder = state.sortOrder } = event.data
      return { ...state, name, sortOrder }
    }
    case 'PlanRetired':
      return { ...state, status: 'retired' }
    default:
      return unexpected(event)
  }
}

type CreatePlan = {
  readonly type: 'CreatePlan'
  readonly planId: string
  readonly name: string
  readonly billingMode: BillingMode
  readonly price: string
  readonly currency: string
  readonly creditsPerPeriodMicros: bigint
  readonly sortOrder?: number
  /** Days until an invoice is due, 14 by default. */
  readonly dueDays?: number
  /**
   * Which share of the credits that a period leaves unused lasts for the next period as well, in millionths. Without it,
   * the credits do not expire.
   */
  readonly rolloverShare?: string | null
  readonly at: string
}

export type PlanCommand =
  | CreatePlan
  | {
      readonly type: 'PricePlan'
      readonly planId: string
      readonly productId: string
      readonly priceId: string
      readonly at: string
    }
  | { readonly type: 'UpdatePlan'; readonly planId: string; readonly changes: OfferChanges; readonly at: string }
  | { readonly type: 'RetirePlan'; readonly planId: string; readonly at: string }

export function decide(command: PlanCommand, state: PlanState): PlanEvent[] {
  const { planId } = command
  if (command.type === 'CreatePlan') {
    if (state.status !== 'unknown') throw new Refusal('CONFLICT', `plan ${planId} exists already`)
    return [created(command), ...placed(command)]
  }
  if (state.status === 'unknown') throw new Refusal('NOT_FOUND', `there is no plan ${planId}`)
  switch (command.type) {
    case 'PricePlan': {
      if (state.billingMode === 'POSTPAID') throw new Refusal('INVALID', 'a POSTPAID plan has no price at the provider')
      // It may have been retired while the provider created its price.
      if (state.priceId !== null || state.status === 'retired') return []
      const { productId, priceId, at } = command
      return [{ type: 'PlanPriced', data: { planId, productId, priceId, pricedAt: at } }]
    }
    case 'UpdatePlan': {
      const changed = changedOffer(state, command.changes, 'plan')
      return changed === null ? [] : [{ type: 'PlanUpdated', data: { planId, ...changed, updatedAt: command.at } }]
    }
    case 'RetirePlan':
      return state.status === 'retired' ? [] : [{ type: 'PlanRetired', data: { planId, retiredAt: command.at } }]
    default:
      return unexpected(command)
  }
}

function created(command: CreatePlan): PlanEvent {
  const { planId, billingMode, price, currency, dueDays = DUE_DAYS_DEFAULT, rolloverShare: share = null, at } = command
  requirePrice(price, currency)
  const name = requireOfferName(command.name, 'plan')
  const creditsPerPeriodMicros = requireAmount(command.creditsPerPeriodMicros, 'the credits of a plan')
  if (!Number.isInteger(dueDays) || dueDays < 1 || dueDays > DUE_DAYS_MAX) {
    throw new Refusal('INVALID', `dueDays must be a whole number from 1 to ${DUE_DAYS_MAX}, not ${dueDays}`)
  }
  requireRollover(share, billingMode)
  const offer = { planId, name, billingMode, price, currency, creditsPerPeriodMicros, dueDays }
  return { type: 'PlanCreated', data: { ...offer, rolloverShare: share, createdAt: at } }
}

function requireRollover(share: string | null, billingMode: BillingMode): void {
  if (share === null) return
  if (billingMode === 'POSTPAID') throw new Refusal('INVALID', 'a POSTPAID plan grants no credits that could roll over')
  if (!rolloverShare.safeParse(share).success)
    throw new Refusal(
      'INVALID',
      'the share of unused credits that rolls over must be from 0 to 1, with up to six places',
    )
}

function placed({ planId, sortOrder = SORT_ORDER_DEFAULT, at }: CreatePlan): PlanEvent[] {
  if (requireSortOrder(sortOrder) === SORT_ORDER_DEFAULT) return []
  return [{ type: 'PlanUpdated', data: { planId, sortOrder, updatedAt: at } }]
}

export const planDecider: Decider<PlanState, PlanCommand, PlanEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
