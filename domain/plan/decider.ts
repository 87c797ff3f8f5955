import type { BillingMode } from '../../contracts/events/company.ts'
import type { PlanEvent } from '../../contracts/events/plan.ts'
import { NAME_CHARS_MAX } from '../../contracts/limits.ts'
import { requireAmount } from '../credits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { requirePrice } from '../price.ts'
import { requireText } from '../text.ts'

export type PlanState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'active' | 'retired'
      readonly billingMode: BillingMode
      readonly creditsPerPeriodMicros: bigint
      readonly priceId: string | null
    }

export function evolve(state: PlanState, event: PlanEvent): PlanState {
  if (event.type === 'PlanCreated') {
    const { billingMode, creditsPerPeriodMicros } = event.data
    return { status: 'active', billingMode, creditsPerPeriodMicros: BigInt(creditsPerPeriodMicros), priceId: null }
  }
  if (state.status === 'unknown') return state
  switch (event.type) {
    case 'PlanPriced':
      return { ...state, priceId: event.data.priceId }
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
  | { readonly type: 'RetirePlan'; readonly planId: string; readonly at: string }

export function decide(command: PlanCommand, state: PlanState): PlanEvent[] {
  const { planId } = command
  if (command.type === 'CreatePlan') {
    if (state.status !== 'unknown') throw new Refusal('CONFLICT', `plan ${planId} exists already`)
    return [created(command)]
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
    case 'RetirePlan':
      return state.status === 'retired' ? [] : [{ type: 'PlanRetired', data: { planId, retiredAt: command.at } }]
    default:
      return unexpected(command)
  }
}

function created(command: CreatePlan): PlanEvent {
  const { planId, billingMode, price, currency, at } = command
  requirePrice(price, currency)
  const name = requireText(command.name, 'the name of a plan', NAME_CHARS_MAX)
  const creditsPerPeriodMicros = requireAmount(command.creditsPerPeriodMicros, 'the credits of a plan')
  const data = { planId, name, billingMode, price, currency, creditsPerPeriodMicros, createdAt: at }
  return { type: 'PlanCreated', data }
}

export const planDecider: Decider<PlanState, PlanCommand, PlanEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
