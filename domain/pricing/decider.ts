import { ALIAS_RULE, isModelAlias } from '../../contracts/aliases.ts'
import { nonNegativeMicros } from '../../contracts/events/definition.ts'
import type { AliasPrice, PricingEvent } from '../../contracts/events/pricing.ts'
import { AMOUNT_MICROS_MAX, formatCredits } from '../credits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { type PriceBook, publish } from './priceBook.ts'

/** Every book ever published, so that a call is priced by the one in force when it was admitted. */
export type PricingState = { readonly books: readonly PriceBook[] }

export function evolve(state: PricingState, event: PricingEvent): PricingState {
  switch (event.type) {
    case 'PriceBookPublished':
      return { books: publish(state.books, event.data) }
    default:
      return unexpected(event.type)
  }
}

export type PricingCommand = {
  readonly type: 'PublishPriceBook'
  readonly bookId: string
  /** null to take effect at once. */
  readonly effectiveFrom: string | null
  readonly prices: Readonly<Record<string, AliasPrice>>
  readonly at: string
}

export function decide(command: PricingCommand, state: PricingState): PricingEvent[] {
  const { bookId, at, prices } = command
  if (state.books.some((book) => book.bookId === bookId))
    throw new Refusal('CONFLICT', `price book ${bookId} exists already`)
  const effectiveFrom = command.effectiveFrom ?? at
  // A book for the past would contradict charges that are on the ledger.
  if (effectiveFrom < at) throw new Refusal('INVALID', 'effectiveFrom must not be in the past')
  const wrongAlias = Object.keys(prices).find((alias) => !isModelAlias(alias))
  if (wrongAlias !== undefined)
    throw new Refusal('INVALID', `prices: ${JSON.stringify(wrongAlias)} is not a model alias, which ${ALIAS_RULE}`)
  if (Object.keys(prices).length === 0) throw new Refusal('INVALID', 'prices must name at least one alias')
  for (const [alias, price] of Object.entries(prices)) {
    requireRate(price.inputMicrosPerMillionTokens, `prices: input of ${alias}`)
    requireRate(price.outputMicrosPerMillionTokens, `prices: output of ${alias}`)
  }
  return [{ type: 'PriceBookPublished', data: { bookId, effectiveFrom, prices: { ...prices }, publishedAt: at } }]
}

/** Zero is a valid rate. A rate above the limit would lead to charges that their own schema refuses. */
function requireRate(micros: string, what: string): void {
  if (!nonNegativeMicros.safeParse(micros).success || BigInt(micros) > AMOUNT_MICROS_MAX) {
    const most = formatCredits(AMOUNT_MICROS_MAX)
    throw new Refusal('INVALID', `${what} must be a whole number of millionths, and at most ${most} credits`)
  }
}

export const pricingDecider: Decider<PricingState, PricingCommand, PricingEvent> = {
  initialState: () => ({ books: [] }),
  evolve,
  decide,
}
