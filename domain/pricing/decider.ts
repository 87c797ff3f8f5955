import { ALIAS_RULE, isModelAlias } from '../../contracts/aliases.ts'
import type { AliasPrice, PricingEvent } from '../../contracts/events/pricing.ts'
import { PRICE_LEAD_MS } from '../../contracts/priceLead.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { type PriceBook, priceAt, priceListOf } from './priceBook.ts'
import { requirePrice } from './priceRules.ts'

/** An event has room for this many aliases of the longest name with every rate. */
export const ALIASES_PER_BOOK_MAX = 500

/** Every book ever published in the stream, in the order of publication. */
export type PricingState = { readonly books: readonly PriceBook[] }

export function evolve(state: PricingState, event: PricingEvent): PricingState {
  switch (event.type) {
    case 'PriceBookPublished':
      return { books: [...state.books, { ...event.data, revision: state.books.length }] }
    default:
      return unexpected(event.type)
  }
}

export type PricingCommand = {
  readonly type: 'PublishPriceBook'
  readonly bookId: string
  /** null for the prices of all companies. */
  readonly companyId: string | null
  /** null, or a time within the lead time: as soon as possible. */
  readonly effectiveFrom: string | null
  readonly prices: Readonly<Record<string, AliasPrice>>
  /** Aliases that no longer have a price in this stream. */
  readonly retired: readonly string[]
  readonly at: string
}

export function decide(command: PricingCommand, state: PricingState): PricingEvent[] {
  const { bookId, companyId, at, prices, retired } = command
  if (state.books.some((book) => book.bookId === bookId))
    throw new Refusal('CONFLICT', `price book ${bookId} exists already`)
  // A book for the past would contradict charges that are already on the ledger.
  if (command.effectiveFrom !== null && command.effectiveFrom < at)
    throw new Refusal('INVALID', 'effectiveFrom must not be in the past')
  requirePriceChanges(command)
  const earliest = earliestStart(command, state)
  const wanted = command.effectiveFrom ?? earliest
  const effectiveFrom = wanted < earliest ? earliest : wanted
  const data = { bookId, companyId, effectiveFrom, prices: { ...prices }, retired: [...retired] }
  return [{ type: 'PriceBookPublished', data: { ...data, replacesAll: false, publishedAt: at } }]
}

/**
 * Gateways must know a book before it takes effect, or they would charge by the previous one. Aliases without a price
 * until now need no such lead time. A company may have been charged by the common price, which its stream does not
 * contain, so a company's book always has it.
 */
function earliestStart(command: PricingCommand, { books }: PricingState): string {
  const { companyId, prices, retired, effectiveFrom, at } = command
  const list = priceListOf(books)
  const isNew = (alias: string) => companyId === null && priceAt(list, alias, effectiveFrom ?? at) === null
  if ([...Object.keys(prices), ...retired].every(isNew)) return at
  return new Date(Date.parse(at) + PRICE_LEAD_MS).toISOString()
}

/** The checks that need no state, so that a book can also be checked without publishing it. */
export function requirePriceChanges({ prices, retired }: Pick<PricingCommand, 'prices' | 'retired'>): void {
  const aliases = [...Object.keys(prices), ...retired]
  if (aliases.length === 0) throw new Refusal('INVALID', 'prices or retire must name at least one alias')
  if (aliases.length > ALIASES_PER_BOOK_MAX)
    throw new Refusal('INVALID', `a price book names at most ${ALIASES_PER_BOOK_MAX} aliases, not ${aliases.length}`)
  for (const [field, names] of Object.entries({ prices: Object.keys(prices), retire: retired })) {
    const wrong = names.find((alias) => !isModelAlias(alias))
    if (wrong !== undefined)
      throw new Refusal(
        'INVALID',
        `${field}: ${JSON.stringify(wrong.slice(0, 100))} is not a model alias, which ${ALIAS_RULE}`,
      )
  }
  const twice = aliases.find((alias, n) => aliases.indexOf(alias) < n)
  if (twice !== undefined) throw new Refusal('INVALID', `a price book names ${twice} once, in prices or in retire`)
  for (const [alias, price] of Object.entries(prices)) requirePrice(alias, price)
}

export const pricingDecider: Decider<PricingState, PricingCommand, PricingEvent> = {
  initialState: () => ({ books: [] }),
  evolve,
  decide,
}
