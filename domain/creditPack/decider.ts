import { type CreditPackEvent, VALID_DAYS_MAX } from '../../contracts/events/creditPack.ts'
import { requireAmount } from '../credits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { changedOffer, type OfferChanges, requireOfferName, requireSortOrder } from '../offerChange.ts'
import { requirePrice } from '../price.ts'

/** A pack is for sale once it has a price at the payment provider, until it is retired. */
export type CreditPackState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'pending' | 'active' | 'retired'
      readonly name: string
      readonly sortOrder: number
      readonly priceId: string | null
    }

export function evolve(state: CreditPackState, event: CreditPackEvent): CreditPackState {
  if (event.type === 'CreditPackCreated') {
    const { name, sortOrder } = event.data
    return { status: 'pending', name, sortOrder, priceId: null }
  }
  if (state.status === 'unknown') return state
  switch (event.type) {
    case 'CreditPackPriced':
      return { ...state, status: state.status === 'retired' ? 'retired' : 'active', priceId: event.data.priceId }
    case 'CreditPackUpdated': {
      const { name = state.name, sortOrder = state.sortOrder } = event.data
      return { ...state, name, sortOrder }
    }
    case 'CreditPackRetired':
      return { ...state, status: 'retired' }
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
  /** How many days after the payment the credits can be used; without it, they do not expire. */
  readonly validDays?: number | null
  /** The product and price at the provider, if created first: then the pack is for sale at once. */
  readonly pricing?: Pricing
  readonly at: string
}

type Pricing = { readonly productId: string; readonly priceId: string }

export type CreditPackCommand =
  | CreateCreditPack
  | (Pricing & { readonly type: 'PriceCreditPack'; readonly packId: string; readonly at: string })
  | { readonly type: 'UpdateCreditPack'; readonly packId: string; readonly changes: OfferChanges; readonly at: string }
  | { readonly type: 'RetireCreditPack'; readonly packId: string; readonly at: string }

export function decide(command: CreditPackCommand, state: CreditPackState): CreditPackEvent[] {
  const { packId, at } = command
  if (command.type === 'CreateCreditPack') {
    if (state.status !== 'unknown') throw new Refusal('CONFLICT', `credit pack ${packId} exists already`)
    return command.pricing ? [created(command), priced(packId, command.pricing, at)] : [created(command)]
  }
  if (state.status === 'unknown') throw new Refusal('NOT_FOUND', `there is no credit pack ${packId}`)
  switch (command.type) {
    case 'PriceCreditPack':
      // It may have been retired while the provider created its price.
      return state.status === 'pending' ? [priced(packId, command, at)] : []
    case 'UpdateCreditPack': {
      const changed = changedOffer(state, command.changes, 'credit pack')
      return changed === null ? [] : [{ type: 'CreditPackUpdated', data: { packId, ...changed, updatedAt: at } }]
    }
    case 'RetireCreditPack':
      return state.status === 'retired' ? [] : [{ type: 'CreditPackRetired', data: { packId, retiredAt: at } }]
    default:
      return unexpected(command)
  }
}

function created(command: CreateCreditPack): CreditPackEvent {
  const { packId, price, currency, sortOrder, validDays = null, at } = command
  requirePrice(price, currency)
  requireSortOrder(sortOrder)
  const name = requireOfferName(command.name, 'credit pack')
  const creditsMicros = requireAmount(command.creditsMicros, 'the credits of a pack')
  if (validDays !== null && !(Number.isInteger(validDays) && validDays >= 1 && validDays <= VALID_DAYS_MAX))
    throw new Refusal('INVALID', `validDays must be a whole number from 1 to ${VALID_DAYS_MAX}, not ${validDays}`)
  return {
    type: 'CreditPackCreated',
    data: { packId, name, creditsMicros, price, currency, sortOrder, validDays, createdAt: at },
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
