import type { BillingMode } from '../../contracts/events/company.ts'
import type { PlanEvent } from '../../contracts/events/plan.ts'
import { LIMITS } from '../../contracts/limits.ts'
import { requireAmount } from '../credits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { requirePrice } from '../price.ts'
import { requireText } from '../text.ts'

export type PlanState = { readonly status: 'unknown' } | { readonly status: 'active' }

export function evolve(_state: PlanState, event: PlanEvent): PlanState {
  switch (event.type) {
    case 'PlanCreated':
      return { status: 'active' }
    default:
      return unexpected(event.type)
  }
}

export type PlanCommand = {
  readonly type: 'CreatePlan'
  readonly planId: string
  readonly name: string
  readonly billingMode: BillingMode
  readonly price: string
  readonly currency: string
  readonly creditsPerPeriodMicros: bigint
  readonly at: string
}

export function decide(command: PlanCommand, state: PlanState): PlanEvent[] {
  const { planId, billingMode, price, currency, at } = command
  if (state.status !== 'unknown') throw new Refusal('CONFLICT', `plan ${planId} exists already`)
  requirePrice(price, currency)
  const name = requireText(command.name, 'the name of a plan', LIMITS.nameCharsMax)
  const creditsPerPeriodMicros = requireAmount(command.creditsPerPeriodMicros, 'the credits of a plan')
  const data = { planId, name, billingMode, price, currency, creditsPerPeriodMicros, createdAt: at }
  return [{ type: 'PlanCreated', data }]
}

export const planDecider: Decider<PlanState, PlanCommand, PlanEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
