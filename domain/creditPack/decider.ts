import type { CreditPackEvent } from '../../contracts/events/creditPack.ts'
import { LIMITS } from '../../contracts/limits.ts'
import { requireAmount } from '../credits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { requirePrice } from '../price.ts'
import { requireText } from '../text.ts'

export type CreditPackState = { readonly status: 'unknown' } | { readonly status: 'active' }

export function evolve(_state: CreditPackState, event: CreditPackEvent): CreditPackState {
  switch (event.type) {
    case 'CreditPackCreated':
      return { status: 'active' }
    default:
      return unexpected(event.type)
  }
}

export type CreditPackCommand = {
  readonly type: 'CreateCreditPack'
  readonly packId: string
  readonly name: string
  readonly creditsMicros: bigint
  readonly price: string
  readonly currency: string
  readonly sortOrder: number
  readonly at: string
}

export function decide(command: CreditPackCommand, state: CreditPackState): CreditPackEvent[] {
  const { packId, price, currency, sortOrder, at } = command
  if (state.status !== 'unknown') throw new Refusal('CONFLICT', `credit pack ${packId} exists already`)
  requirePrice(price, currency)
  if (!Number.isSafeInteger(sortOrder)) throw new Refusal('INVALID', 'sortOrder must be a whole number')
  const name = requireText(command.name, 'the name of a credit pack', LIMITS.nameCharsMax)
  const creditsMicros = requireAmount(command.creditsMicros, 'the credits of a pack')
  return [
    { type: 'CreditPackCreated', data: { packId, name, creditsMicros, price, currency, sortOrder, createdAt: at } },
  ]
}

export const creditPackDecider: Decider<CreditPackState, CreditPackCommand, CreditPackEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
