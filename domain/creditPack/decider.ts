import type { CreditPackEvent } from '../../contracts/events/creditPack.ts'
import { NAME_CHARS_MAX } from '../../contracts/limits.ts'
import { requireAmount } from '../credits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { requirePrice } from '../price.ts'
import { requireText } from '../text.ts'

/** A pack is for sale once it has a price at the payment provider. */
export type CreditPackState =
  | { readonly status: 'unknown' }
  | { readonly status: 'pending' }
  | { readonly status: 'active'; readonly priceId: string }

export function evolve(_state: CreditPackState, event: CreditPackEvent): CreditPackState {
  switch (event.type) {
    case 'CreditPackCreated':
      return { status: 'pending' }
    case 'CreditPackPriced':
      return { status: 'active', priceId: event.data.priceId }
    default:
      return unexpected(event)
  }
}

type CreateCreditPack = {
  readonly type: 'CreateCreditPack'
  readonly packId: string
  readonly name: string
  readonly creditsMicros: bigint
  readonly price: string
  readonly currency: string
  readonly sortOrder: number
  /** The product and price at the provider, if they were made first: the pack is for sale at once. */
  readonly pricing?: Pricing
  readonly at: string
}

type Pricing = { readonly productId: string; readonly priceId: string }

export type CreditPackCommand =
  | CreateCreditPack
  | (Pricing & { readonly type: 'PriceCreditPack'; readonly packId: string; readonly at: string })

export function decide(command: CreditPackCommand, state: CreditPackState): CreditPackEvent[] {
  const { packId } = command
  switch (command.type) {
    case 'CreateCreditPack':
      if (state.status !== 'unknown') throw new Refusal('CONFLICT', `credit pack ${packId} exists already`)
      return command.pricing ? [created(command), priced(packId, command.pricing, command.at)] : [created(command)]
    case 'PriceCreditPack': {
      if (state.status === 'unknown') throw new Refusal('NOT_FOUND', `there is no credit pack ${packId}`)
      if (state.status === 'active') return []
      return [priced(packId, command, command.at)]
    }
    default:
      return unexpected(command)
  }
}

function created(command: CreateCreditPack): CreditPackEvent {
  const { packId, price, currency, sortOrder, at } = command
  requirePrice(price, currency)
  if (!Number.isSafeInteger(sortOrder)) throw new Refusal('INVALID', 'sortOrder must be a whole number')
  const name = requireText(command.name, 'the name of a credit pack', NAME_CHARS_MAX)
  const creditsMicros = requireAmount(command.creditsMicros, 'the credits of a pack')
  return {
    type: 'CreditPackCreated',
    data: { packId, name, creditsMicros, price, currency, sortOrder, createdAt: at },
  }
}

function priced(packId: string, { productId, priceId }: Pricing, pricedAt: string): CreditPackEvent {
  return { type: 'CreditPackPriced', data: { packId, productId, priceId, pricedAt } }
}

export const creditPackDecider: Decider<CreditPackState, CreditPackCommand, CreditPackEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
